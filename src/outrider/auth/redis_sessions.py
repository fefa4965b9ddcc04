"""Sessions in Redis, at `session:{id}` (AUT-01). Users stay in PostgreSQL.

Redis loses its sessions with its memory: then everyone signs in again. While it is away, calls raise
Unavailable; a session cannot be judged without it.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import asyncpg

from outrider.auth.keys import new_key
from outrider.auth.sessions import LIFE, NewSession, UserSession
from outrider.auth.users import User, user_by_id
from outrider.redis.connect import MOST_CONNECTIONS, asking, connect
from outrider.redis.options import RedisOptions

PREFIX = "session:"


class RedisSessions:
    """Sessions as keys that expire. The id in the name of a key is a hash, not the value of the cookie."""

    def __init__(self, options: RedisOptions) -> None:
        self._address = options.address
        self._client = connect(options)
        self._connections = asyncio.Semaphore(MOST_CONNECTIONS)  # the client refuses to open more

    async def create(self, db: asyncpg.Connection, user: User) -> NewSession:
        cookie, key_hash = new_key()
        created_at = datetime.now(UTC)
        stored = {
            "userId": user.user_id,
            "role": user.role.value,
            "createdAt": created_at.isoformat(),
            "generation": user.generation,
        }
        async with self._asking():
            await self._client.set(PREFIX + key_hash.hex(), json.dumps(stored), ex=LIFE)
        return NewSession(cookie, key_hash.hex(), created_at + LIFE)

    async def find(self, db: asyncpg.Connection, session_id: str) -> UserSession | None:
        async with self._asking():
            stored = await self._client.get(PREFIX + session_id)
        if stored is None:
            return None
        try:
            session = json.loads(stored)
            user_id, generation = int(session["userId"]), int(session["generation"])
        except (ValueError, KeyError, TypeError):
            return None  # another program wrote here
        user = await user_by_id(db, user_id)
        return None if user is None else UserSession(session_id, user, generation)

    async def end(self, db: asyncpg.Connection, session_id: str) -> None:
        async with self._asking():
            await self._client.delete(PREFIX + session_id)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        async with self._connections:
            with asking(self._address):
                yield

    async def close(self) -> None:
        await self._client.aclose()
