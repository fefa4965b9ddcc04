"""The first administrator: by a one-time set-up code, or by OUTRIDER_ADMIN_PASSWORD."""

from datetime import timedelta

import asyncpg

from outrider.auth.keys import LONGEST_KEY, hash_key, new_key
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords, check_password
from outrider.auth.user_names import check_name
from outrider.auth.users import User, add_user, has_users
from outrider.db.queries import Queries
from outrider.errors import Conflict, Denied

CODE_LIFE = timedelta(hours=24)
MOST_CODES = 20  # each server process that starts makes one

_WRONG_CODE = "the set-up code is not valid: the newest one is in the output of `outrider serve`"
_SQL = Queries.load("outrider.auth")


async def new_setup_code(db: asyncpg.Connection) -> str | None:
    """A code that creates the first administrator; None if a user exists.

    Several processes may start at once: the code of each works, for a day, until one of them was used.
    """
    if await has_users(db):
        return None
    code, code_hash = new_key()
    async with db.transaction():
        await db.execute(_SQL.add_setup_code, code_hash)
        await db.execute(_SQL.prune_setup_codes, CODE_LIFE, MOST_CODES)
    return code


async def create_first_admin(
    db: asyncpg.Connection, code: str, name: str, password: str, passwords: Passwords
) -> User:
    """Use a code and create the administrator; raises Denied for a wrong code, Conflict if a user exists."""
    check_name(name)
    check_password(password)
    code_hash = hash_key(code[:LONGEST_KEY])
    await _check_code(db, code_hash)
    password_hash = await passwords.hash(password)
    async with db.transaction():
        # All codes are locked: of two calls at the same time, the second finds none.
        await db.fetch(_SQL.lock_setup_codes)
        if await has_users(db):
            raise Conflict("there is a user already: sign in, or ask an administrator for an account")
        await _check_code(db, code_hash)
        user = await add_user(db, name, password_hash, Role.ADMIN)
        await db.execute(_SQL.remove_setup_codes)
        return user


async def ensure_admin(db: asyncpg.Connection, name: str, password: str, passwords: Passwords) -> User | None:
    """Create an administrator if there is no user; None if there is one."""
    if await has_users(db):
        return None
    password_hash = await passwords.hash(password)
    async with db.transaction():
        try:
            user = await add_user(db, name, password_hash, Role.ADMIN)
        except Conflict:
            return None  # another process was first
        await db.execute(_SQL.remove_setup_codes)
        return user


async def _check_code(db: asyncpg.Connection, code_hash: bytes) -> None:
    if not await db.fetchval(_SQL.has_setup_code, code_hash, CODE_LIFE):
        raise Denied(_WRONG_CODE)
