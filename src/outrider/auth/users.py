"""The table `app_user`: accounts, and the rule that one enabled administrator is always left."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.auth.model import Role
from outrider.auth.user_names import check_name, name_key
from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidInput, NotFound

GONE = "the user was deleted meanwhile"

_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class User:
    """An account."""

    user_id: int
    name: str
    role: Role
    generation: int
    created_at: datetime
    last_login_at: datetime | None
    disabled_at: datetime | None

    @property
    def is_enabled(self) -> bool:
        return self.disabled_at is None


async def add_user(db: asyncpg.Connection, name: str, password_hash: str, role: Role) -> User:
    """Add an account; raises Conflict if the name is taken."""
    stored = check_name(name)
    row = await db.fetchrow(_SQL.add_user, stored, name_key(stored), password_hash, _stored_role(role))
    if row is None:
        raise Conflict(f"there is a user {stored!r} already: choose another name")
    return user_of(row)


async def user_by_id(db: asyncpg.Connection, user_id: int) -> User | None:
    row = await db.fetchrow(_SQL.user_by_id, user_id)
    return None if row is None else user_of(row)


async def user_with_hash(db: asyncpg.Connection, name: str) -> tuple[User, str] | None:
    """The account of that name and its password hash."""
    row = await db.fetchrow(_SQL.user_by_name, name_key(name))
    return None if row is None else (user_of(row), row["password_hash"])


async def find_user(db: asyncpg.Connection, named: str) -> User:
    """The account of that name, or of that number; raises NotFound."""
    found = await user_with_hash(db, named)
    if found is not None:
        return found[0]
    if named.isascii() and named.isdigit() and len(named) < 10:
        user = await user_by_id(db, int(named))
        if user is not None:
            return user
    raise NotFound("there is no user of that name: `outrider user list` shows them")


async def user_for_change(db: asyncpg.Connection, named: str) -> User:
    """The account, locked until the end of the transaction; raises NotFound.

    The administrators are locked first and always in the same order, so that two changes cannot deadlock.
    """
    await db.fetch(_SQL.lock_enabled_admins)
    found = await find_user(db, named)
    row = await db.fetchrow(_SQL.lock_user, found.user_id)
    if row is None:
        raise NotFound(GONE)
    return user_of(row)


async def has_users(db: asyncpg.Connection) -> bool:
    return bool(await db.fetchval(_SQL.has_users))


async def list_page(db: asyncpg.Connection, search: str, limit: int, offset: int) -> tuple[list[User], int]:
    """A page of the accounts by name, and how many there are."""
    rows = await db.fetch(_SQL.list_users, name_key(search), limit, offset)
    total: int = await db.fetchval(_SQL.count_users, name_key(search))
    return [user_of(row) for row in rows], total


async def set_role(db: asyncpg.Connection, user: User, role: Role) -> User:
    """Change the role, which revokes sessions and JWTs; raises Conflict for the last administrator."""
    if user.role is role:
        return user
    await keep_an_admin(db, user, "demoted")
    return await _changed(db, _SQL.set_role, user.user_id, _stored_role(role))


async def set_password_hash(db: asyncpg.Connection, user: User, password_hash: str) -> User:
    """Store another password, which revokes sessions and JWTs."""
    return await _changed(db, _SQL.set_password, user.user_id, password_hash)


async def store_rehash(db: asyncpg.Connection, user: User, old: str, new: str) -> None:
    """Replace the hash of the same password, unless the password was changed meanwhile."""
    await db.execute(_SQL.rehash_password, user.user_id, old, new)


async def disable(db: asyncpg.Connection, user: User) -> User:
    """Refuse the user from now on; raises Conflict for the last administrator."""
    if not user.is_enabled:
        return user
    await keep_an_admin(db, user, "disabled")
    return await _changed(db, _SQL.disable_user, user.user_id)


async def enable(db: asyncpg.Connection, user: User) -> User:
    return await _changed(db, _SQL.enable_user, user.user_id)


async def delete(db: asyncpg.Connection, user: User) -> None:
    """Delete the account, its sessions and tokens; raises Conflict for the last administrator."""
    await keep_an_admin(db, user, "deleted")
    if await db.fetchval(_SQL.delete_user, user.user_id) is None:
        raise NotFound(GONE)


async def revoke_all(db: asyncpg.Connection, user: User) -> User:
    """End all sessions and JWTs of the user."""
    return await _changed(db, _SQL.raise_generation, user.user_id)


async def record_login(db: asyncpg.Connection, user: User) -> User:
    """Record the time of a login."""
    return await _changed(db, _SQL.record_login, user.user_id)


async def keep_an_admin(db: asyncpg.Connection, user: User, what: str) -> None:
    """Raise Conflict if no enabled administrator but this user is left.

    The rows of all enabled administrators stay locked until the end of the transaction, so that of two
    changes at the same time the second sees the result of the first.
    """
    rows = await db.fetch(_SQL.lock_enabled_admins)
    others = [row["user_id"] for row in rows if row["user_id"] != user.user_id]
    if not others and len(rows) > 0:
        raise Conflict(
            f"{user.name!r} is the last enabled administrator and cannot be {what}: "
            "make another user an administrator first"
        )


def user_of(row: Any) -> User:
    """The account in a row of `app_user`."""
    return User(
        row["user_id"],
        row["name"],
        Role(row["role"]),
        row["generation"],
        row["created_at"],
        row["last_login_at"],
        row["disabled_at"],
    )


async def _changed(db: asyncpg.Connection, statement: str, *values: object) -> User:
    row = await db.fetchrow(statement, *values)
    if row is None:
        raise NotFound(GONE)
    return user_of(row)


def _stored_role(role: Role) -> str:
    if role not in (Role.USER, Role.ADMIN):
        raise InvalidInput("the role of a user is `user` or `admin`")
    return role.value
