"""Use cases that change users. Each revokes the sessions and JWTs of the user at once, except enabling."""

from collections.abc import Awaitable, Callable

import asyncpg

from outrider.auth import users
from outrider.auth.audit import Actor, record
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords, check_password
from outrider.auth.users import User
from outrider.errors import Unauthenticated
from outrider.services.users.users import USER, UserDetails, audited, details_of_user

UserCommand = Callable[[asyncpg.Connection, User], Awaitable[User]]


async def change_role(db: asyncpg.Connection, actor: Actor, named: str, role: Role) -> UserDetails:
    """Change the role; raises Conflict for the last enabled administrator."""
    return await _change(db, actor, "user.role", named, lambda db, user: users.set_role(db, user, role))


async def disable_user(db: asyncpg.Connection, actor: Actor, named: str) -> UserDetails:
    """Refuse a user from now on; raises Conflict for the last enabled administrator."""
    return await _change(db, actor, "user.disable", named, users.disable)


async def enable_user(db: asyncpg.Connection, actor: Actor, named: str) -> UserDetails:
    """Let a disabled user sign in again."""
    return await _change(db, actor, "user.enable", named, users.enable)


async def sign_out_everywhere(db: asyncpg.Connection, actor: Actor, named: str) -> UserDetails:
    """End all sessions and JWTs of a user. API tokens stay."""
    return await _change(db, actor, "user.sign_out_everywhere", named, users.revoke_all)


async def set_password(
    db: asyncpg.Connection, actor: Actor, named: str, password: str, passwords: Passwords
) -> UserDetails:
    """Give a user another password."""
    check_password(password)
    password_hash = await passwords.hash(password)
    return await _change(
        db,
        actor,
        "user.password",
        named,
        lambda db, user: users.set_password_hash(db, user, password_hash),
    )


async def change_own_password(
    db: asyncpg.Connection, actor: Actor, old: str, new: str, passwords: Passwords
) -> UserDetails:
    """Change the password of the user who acts; raises Unauthenticated if the old one is wrong."""
    check_password(new)
    found = await users.user_with_hash(db, actor.principal.name)
    stored = found[1] if found and found[0].user_id == actor.principal.user_id else None
    if not await passwords.verify(stored, old):
        raise Unauthenticated("the present password is not right")
    return await set_password(db, actor, str(actor.principal.name), new, passwords)


async def remove_user(db: asyncpg.Connection, actor: Actor, named: str) -> UserDetails:
    """Delete a user with its sessions and tokens; raises Conflict for the last enabled administrator."""
    async with db.transaction():
        user = await users.user_for_change(db, named)
        await users.delete(db, user)
        await record(db, actor, "user.remove", USER, user.user_id, before=audited(user))
    return details_of_user(user)


async def _change(
    db: asyncpg.Connection, actor: Actor, action: str, named: str, command: UserCommand
) -> UserDetails:
    async with db.transaction():
        before = await users.user_for_change(db, named)
        after = await command(db, before)
        await record(db, actor, action, USER, after.user_id, before=audited(before), after=audited(after))
    return details_of_user(after)
