"""Use cases of users: list, show and add them. `user_changes.py` changes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.auth import users
from outrider.auth.audit import Actor, record
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords, check_password
from outrider.auth.user_names import check_name
from outrider.auth.users import User
from outrider.services.paging import ListPage, PageRequest

MOST_USERS = 500  # in one list
USER = "user"  # the kind of object in the audit log


@dataclass(frozen=True, slots=True)
class UserDetails:
    """A user as lists show it."""

    id: int
    name: str
    role: Role
    enabled: bool
    created_at: datetime
    last_login_at: datetime | None
    disabled_at: datetime | None


async def list_users(db: asyncpg.Connection, page: PageRequest, search: str = "") -> ListPage[UserDetails]:
    """A page of the users by name; `search` is a part of the name."""
    page = page.checked(MOST_USERS)
    async with db.transaction():
        found, total = await users.list_page(db, search, page.limit, page.offset)
    return ListPage([details_of_user(user) for user in found], total, page.limit, page.offset)


async def show_user(db: asyncpg.Connection, named: str) -> UserDetails:
    """One user by name or number; raises NotFound."""
    return details_of_user(await users.find_user(db, named))


async def add_user(
    db: asyncpg.Connection, actor: Actor, name: str, password: str, role: Role, passwords: Passwords
) -> UserDetails:
    """Add a user; raises InvalidInput for a bad name or password, Conflict if the name is taken."""
    check_name(name)
    check_password(password)
    password_hash = await passwords.hash(password)
    async with db.transaction():
        user = await users.add_user(db, name, password_hash, role)
        await record(db, actor, "user.add", USER, user.user_id, after=audited(user))
    return details_of_user(user)


def details_of_user(user: User) -> UserDetails:
    return UserDetails(
        user.user_id,
        user.name,
        user.role,
        user.is_enabled,
        user.created_at,
        user.last_login_at,
        user.disabled_at,
    )


def audited(user: User) -> Mapping[str, Any]:
    """What the audit log keeps of a user."""
    return {"name": user.name, "role": user.role.value, "enabled": user.is_enabled}
