"""Sessions of the dashboard in PostgreSQL. `redis_sessions.py` has the same interface.

The cookie holds a random key. Stores know a session by the SHA-256 of that key, its session id. A session
carries the generation of its user: disabling the user, another role and another password raise the generation
and so end every session at once, wherever the sessions are stored.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

import asyncpg

from outrider.auth.keys import LONGEST_KEY, hash_key, new_key
from outrider.auth.users import User, user_of
from outrider.db.queries import Queries
from outrider.errors import InvalidInput

LIFE = timedelta(hours=24)
PRUNED_AT_ONCE = 1_000

_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that was just created. `cookie` is a secret that only the browser keeps."""

    cookie: str
    session_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class UserSession:
    """A session and its user, both as they are now."""

    session_id: str
    user: User
    generation: int

    @property
    def is_valid(self) -> bool:
        """Whether the user is enabled and nothing revoked the session."""
        return self.user.is_enabled and self.user.generation == self.generation


class SessionStore(Protocol):
    """Where sessions are."""

    async def create(self, db: asyncpg.Connection, user: User) -> NewSession: ...

    async def find(self, db: asyncpg.Connection, session_id: str) -> UserSession | None:
        """The session, unless it expired or ended; the caller checks `is_valid`."""

    async def end(self, db: asyncpg.Connection, session_id: str) -> None: ...

    async def close(self) -> None: ...


class PostgresSessions:
    """Sessions as rows of `user_session`."""

    async def create(self, db: asyncpg.Connection, user: User) -> NewSession:
        cookie, key_hash = new_key()
        expires_at: datetime = await db.fetchval(
            _SQL.create_session, key_hash, user.user_id, user.generation, LIFE
        )
        return NewSession(cookie, key_hash.hex(), expires_at)

    async def find(self, db: asyncpg.Connection, session_id: str) -> UserSession | None:
        row: Any = await db.fetchrow(_SQL.find_session, bytes.fromhex(session_id))
        return None if row is None else UserSession(session_id, user_of(row), row["session_generation"])

    async def end(self, db: asyncpg.Connection, session_id: str) -> None:
        await db.execute(_SQL.end_session, bytes.fromhex(session_id))

    async def close(self) -> None:
        """Nothing is open."""


def session_id_of(cookie: str) -> str:
    """The id of the session that a cookie belongs to; raises InvalidInput for what was never a cookie."""
    if not cookie or len(cookie) > LONGEST_KEY:
        raise InvalidInput("this is no session cookie")
    return hash_key(cookie).hex()
