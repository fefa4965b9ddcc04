"""`/api/v1/users`: the people who may sign in (API-08)."""

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.paging import ListPage
from outrider.services.users.changes import (
    change_own_password,
    change_role,
    disable_user,
    enable_user,
    remove_user,
    set_password,
    sign_out_everywhere,
)
from outrider.services.users.users import UserDetails, add_user, list_users, show_user
from outrider.web.api.v1.auth import Tools
from outrider.web.audit import Acting
from outrider.web.dependencies import Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("users")

UserName = Annotated[str, Path(max_length=200, description="The name or the number of the user.")]
UserRole = Literal[Role.USER, Role.ADMIN]


class NewUser(RequestBody):
    """A user who is to be added."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=2_000)
    role: UserRole = Role.USER


class UserEdit(RequestBody):
    """One or more changes of a user."""

    role: UserRole | None = None
    enabled: bool | None = None
    password: str | None = Field(None, max_length=2_000)


class PasswordChange(RequestBody):
    """The present password and the new one."""

    old: str = Field(max_length=2_000)
    new: str = Field(max_length=2_000)


@router.get("/api/v1/users", Role.ADMIN, summary="List users", result=ListPage[UserDetails])
async def get_users(
    db: Db, paging: Paging, search: Annotated[str, Query(max_length=200)] = ""
) -> ListPage[UserDetails]:
    """Users by name; `search` is a part of the name."""
    return await list_users(db, paging, search)


@router.post(
    "/api/v1/users",
    Role.ADMIN,
    summary="Add a user",
    creates="/id",
    action="user.add",
    result=UserDetails,
    status=201,
    records_itself=True,
)
async def post_user(db: Db, acting: Acting, tools: Tools, body: NewUser) -> UserDetails:
    """Add a user who can sign in at once."""
    return await add_user(db, acting, body.name, body.password, body.role, tools.passwords)


@router.post(
    "/api/v1/auth/password",
    Role.USER,
    summary="Change your password",
    action="user.password",
    result=UserDetails,
    records_itself=True,
    errors=(401,),
)
async def post_own_password(db: Db, acting: Acting, tools: Tools, body: PasswordChange) -> UserDetails:
    """Ends all sessions and bearer tokens of the caller, this one included."""
    return await change_own_password(db, acting, body.old, body.new, tools.passwords)


@router.get("/api/v1/users/{user}", Role.ADMIN, summary="Show a user", result=UserDetails)
async def get_user(db: Db, user: UserName) -> UserDetails:
    """One user by name or number."""
    return await show_user(db, user)


@router.patch(
    "/api/v1/users/{user}",
    Role.ADMIN,
    summary="Change a user",
    action="user.change",
    result=UserDetails,
    records_itself=True,
)
async def patch_user(
    request: Request, db: Db, acting: Acting, tools: Tools, user: UserName, body: UserEdit
) -> UserDetails:
    """Change role, password, or whether the user may sign in. All sessions of the user end."""
    changed: UserDetails | None = None
    if body.role is not None:
        changed = await change_role(db, acting, user, body.role)
    if body.enabled is not None:
        changed = await (enable_user if body.enabled else disable_user)(db, acting, user)
    if body.password is not None:
        changed = await set_password(db, acting, user, body.password, tools.passwords)
    if changed is None:
        raise InvalidInput("say what to change: role, enabled or password")
    return changed


@router.post(
    "/api/v1/users/{user}/sign-out",
    Role.ADMIN,
    summary="End all sessions of a user",
    action="user.sign_out_everywhere",
    result=UserDetails,
    records_itself=True,
)
async def post_sign_out(db: Db, acting: Acting, user: UserName) -> UserDetails:
    """End all sessions and bearer tokens. API tokens stay."""
    return await sign_out_everywhere(db, acting, user)


@router.delete(
    "/api/v1/users/{user}",
    Role.ADMIN,
    summary="Remove a user",
    action="user.remove",
    result=UserDetails,
    records_itself=True,
)
async def delete_user(db: Db, acting: Acting, user: UserName) -> UserDetails:
    """Remove a user with all sessions and tokens."""
    return await remove_user(db, acting, user)
