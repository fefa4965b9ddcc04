"""API tokens: named keys of programs, `ort_…`, each with an owner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import asyncpg

from outrider.auth.keys import LONGEST_KEY, hash_key, new_key
from outrider.auth.model import Role
from outrider.auth.users import User, user_of
from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidInput, NotFound

PREFIX = "ort_"
LONGEST_NAME = 100
MOST_TOKENS = 100  # of one user that are not revoked
USED_EVERY_S = 60.0  # `last_used_at` is written at most so often

_RANKS = {Role.USER: 1, Role.ADMIN: 2}
_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token as lists show it, without its key."""

    token_id: int
    name: str
    user_id: int
    user_name: str
    role: Role
    read_only: bool
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


class UsableToken(NamedTuple):
    """A token that was presented and is valid, and its owner."""

    token_id: int
    owner: User
    role: Role
    read_only: bool


async def create_token(
    db: asyncpg.Connection,
    owner: User,
    name: str,
    *,
    role: Role | None = None,
    most: Role = Role.ADMIN,
    read_only: bool = False,
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Create a token; returns it and its key, which is not stored and cannot be shown again.

    The token has at most the role of its owner, and at most `most`, the role of the caller. Without a role it
    has the highest one that both allow.
    """
    most = min(owner.role, most, key=lambda each: _RANKS.get(each, 0))
    role = role or most
    if role not in _RANKS or _RANKS[role] > _RANKS.get(most, 0):
        raise InvalidInput(f"this token of {owner.name!r} can have the role {most.value} at most")
    label = name.strip()
    if not 1 <= len(label) <= LONGEST_NAME or not label.isprintable():
        raise InvalidInput(f"give the token a name of 1 to {LONGEST_NAME} printable characters")
    if await db.fetchval(_SQL.count_own_tokens, owner.user_id) >= MOST_TOKENS:
        raise Conflict(f"{owner.name!r} has {MOST_TOKENS} tokens already: revoke one first")
    key, key_hash = new_key(PREFIX)
    row = await db.fetchrow(
        _SQL.create_token, owner.user_id, label, key_hash, role.value, read_only, expires_at
    )
    if row is None:
        raise Conflict(f"{owner.name!r} has a token {label!r} already: revoke it or choose another name")
    return _token_of(row), key


async def use_token(db: asyncpg.Connection, key: str) -> UsableToken | None:
    """The token of a key; None if it does not exist, has expired, or was revoked."""
    if len(key) > LONGEST_KEY:
        return None
    return await _usable(db, await db.fetchrow(_SQL.find_token_by_hash, hash_key(key), USED_EVERY_S))


async def token_by_id(db: asyncpg.Connection, token_id: int) -> UsableToken | None:
    """The token of a number, if it is valid."""
    return await _usable(db, await db.fetchrow(_SQL.find_token_by_id, token_id, USED_EVERY_S))


async def list_tokens(
    db: asyncpg.Connection, user_id: int | None, limit: int, offset: int
) -> tuple[list[ApiToken], int]:
    """A page of the tokens of one user or of all, and how many there are; revoked ones are left out."""
    rows = await db.fetch(_SQL.list_tokens, user_id, limit, offset)
    total: int = await db.fetchval(_SQL.count_tokens, user_id)
    return [_token_of(row) for row in rows], total


async def revoke_token(db: asyncpg.Connection, token_id: int, owner_id: int | None) -> ApiToken:
    """Refuse a token from now on; `owner_id` limits it to tokens of that user. Raises NotFound."""
    row = await db.fetchrow(_SQL.revoke_token, token_id, owner_id)
    if row is None:
        raise NotFound("there is no such token: `outrider token list` shows them")
    return _token_of(row)


async def _usable(db: asyncpg.Connection, row: Any) -> UsableToken | None:
    if row is None:
        return None
    if row["is_use_due"]:
        await db.execute(_SQL.record_token_use, row["token_id"], USED_EVERY_S)
    owner = user_of(row)
    role = min(owner.role, Role(row["token_role"]), key=lambda each: _RANKS[each])
    return UsableToken(row["token_id"], owner, role, row["read_only"])


def _token_of(row: Any) -> ApiToken:
    return ApiToken(
        row["token_id"],
        row["name"],
        row["user_id"],
        row["user_name"],
        Role(row["role"]),
        row["read_only"],
        row["created_at"],
        row["expires_at"],
        row["last_used_at"],
        row["revoked_at"],
    )
