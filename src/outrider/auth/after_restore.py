"""Credentials after a restore: what was withdrawn after the backup must not become valid again.

The newer database knows what was withdrawn. Where there is none, that is unknown, so tokens are revoked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class KnownCredentials:
    """The users and valid API tokens of the database that is replaced."""

    users: Sequence[Any]
    token_hashes: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class WithdrawnCredentials:
    """What is not valid any more after a restore. Everybody has to sign in again."""

    disabled_users: Sequence[str]
    revoked_tokens: Sequence[str]


async def read_credentials(db: asyncpg.Connection) -> KnownCredentials:
    """The credentials of a database."""
    users = await db.fetch(_SQL.known_users)
    return KnownCredentials(users, [row["token_hash"] for row in await db.fetch(_SQL.valid_token_hashes)])


async def withdraw_credentials(
    db: asyncpg.Connection, known: KnownCredentials | None, *, keep_tokens: bool
) -> WithdrawnCredentials:
    """End all sessions, and take users and tokens from the newer database; the caller opens the transaction.

    Without a newer database users stay as they are, and all tokens are revoked unless `keep_tokens`.
    """
    disabled: Sequence[str] = ()
    if known is not None and known.users:
        columns = [
            [user[name] for user in known.users]
            for name in ("user_id", "name_key", "password_hash", "role", "disabled_at")
        ]
        await db.execute(_SQL.update_known_users, *columns)
        disabled = [row["name"] for row in await db.fetch(_SQL.disable_unknown_users, *columns[:2])]
    await db.execute(_SQL.end_every_session)
    await db.execute(_SQL.outdate_generations)
    await db.execute(_SQL.remove_setup_codes)
    revoked: Sequence[str] = ()
    if known is not None or not keep_tokens:
        kept = [] if known is None else list(known.token_hashes)
        revoked = [row["name"] for row in await db.fetch(_SQL.revoke_other_tokens, kept)]
    return WithdrawnCredentials(disabled, revoked)
