"""Users, API tokens and the audit log (UI-21)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.api_tokens import ApiToken
from outrider.auth.audit import AuditEntry, AuditFilter
from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.paging import CursorPage, ListPage
from outrider.services.users.api_tokens import (
    TokenRequest,
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from outrider.services.users.audit_log import list_audit
from outrider.services.users.changes import change_role, disable_user, enable_user, remove_user, set_password
from outrider.services.users.users import UserDetails, add_user, list_users
from outrider.web.api.v1.auth import Tools
from outrider.web.audit import Acting
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import CursorPaging, Db, Paging

router = PageRouter()

UserId = Annotated[int, Path(ge=1, le=2**31 - 1)]
Name = Annotated[str, Form(max_length=200)]
Password = Annotated[str, Form(max_length=2_000)]
Text = Annotated[str, Query(max_length=200)]
MOST_CHANGES_SHOWN = 20
LIVES = {"30": "30 days", "90": "90 days", "365": "a year", "": "no end"}


@dataclass(frozen=True, slots=True)
class UsersPage:
    """The list of users."""

    users: ListPage[UserDetails]
    search: str


@dataclass(frozen=True, slots=True)
class TokensPage:
    """The list of tokens, and the new one, which is shown once."""

    tokens: ListPage[ApiToken]
    new_key: str = ""


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The audit log and its filters."""

    entries: CursorPage[AuditEntry]
    wanted: AuditFilter

    def described(self, entry: AuditEntry) -> Sequence[tuple[str, str, str]]:
        """What changed: name, value before, value after."""
        before, after = entry.changes.get("before") or {}, entry.changes.get("after") or {}
        names = [*before, *(name for name in after if name not in before)]
        return [
            (str(name), str(before.get(name, "")), str(after.get(name, "")))
            for name in names
            if before.get(name) != after.get(name)
        ][:MOST_CHANGES_SHOWN]


@router.get("/users", Role.ADMIN)
async def show_users(request: Request, db: Db, paging: Paging, search: Text = "") -> Response:
    page = UsersPage(await list_users(db, paging, search), search)
    return render(request, "users/users.html", page, title="Users")


@router.post("/users", "user.add", records_itself=True)
async def add_by_form(
    request: Request,
    db: Db,
    tools: Tools,
    acting: Acting,
    name: Name,
    password: Password,
    role: Annotated[str, Form(max_length=10)] = "user",
) -> Response:
    user = await add_user(db, acting, name, password, _role(role), tools.passwords)
    return done(request, "/users", f"{user.name} can sign in now.")


@router.post("/users/{user_id}/role", "user.role", records_itself=True)
async def change_role_by_form(
    request: Request, db: Db, acting: Acting, user_id: UserId, role: Annotated[str, Form(max_length=10)]
) -> Response:
    user = await change_role(db, acting, str(user_id), _role(role))
    return done(request, "/users", f"{user.name} has the role {user.role.value} now.")


@router.post("/users/{user_id}/enabled", "user.enable", records_itself=True)
async def enable_by_form(
    request: Request, db: Db, acting: Acting, user_id: UserId, enabled: Annotated[bool, Form()]
) -> Response:
    user = await (enable_user if enabled else disable_user)(db, acting, str(user_id))
    told = "can sign in again" if enabled else "is disabled, and all their sessions are over"
    return done(request, "/users", f"{user.name} {told}.")


@router.post("/users/{user_id}/password", "user.password", records_itself=True)
async def set_password_by_form(
    request: Request, db: Db, tools: Tools, acting: Acting, user_id: UserId, password: Password
) -> Response:
    user = await set_password(db, acting, str(user_id), password, tools.passwords)
    return done(request, "/users", f"{user.name} has a new password.")


@router.post("/users/{user_id}/remove", "user.remove", records_itself=True)
async def remove_by_form(request: Request, db: Db, acting: Acting, user_id: UserId) -> Response:
    user = await remove_user(db, acting, str(user_id))
    return done(request, "/users", f"{user.name} is removed.")


@router.get("/tokens")
async def show_tokens(request: Request, db: Db, acting: Acting, paging: Paging) -> Response:
    page = TokensPage(await list_api_tokens(db, acting, paging))
    return render(request, "users/tokens.html", page, title="API tokens")


@router.post("/tokens", "api_token.create", Role.USER, is_secret=True, records_itself=True)
async def create_by_form(
    request: Request,
    db: Db,
    acting: Acting,
    paging: Paging,
    name: Annotated[str, Form(max_length=100)],
    days: Annotated[str, Form(max_length=5)] = "90",
    read_only: Annotated[bool, Form()] = False,
) -> Response:
    """The answer is the page itself: the token is shown this once, in no address and no cookie."""
    if days not in LIVES:
        raise InvalidInput("choose how long the token lasts")
    now = datetime.now(UTC)
    ends = now + timedelta(days=int(days)) if days else None
    wanted = TokenRequest(name, acting.principal.name, None, read_only, ends)
    made = await create_api_token(db, acting, wanted, now)
    page = TokensPage(await list_api_tokens(db, acting, paging), made.key)
    return render(request, "users/tokens.html", page, title="API tokens")


@router.post("/tokens/{token_id}/revoke", "api_token.revoke", Role.USER, records_itself=True)
async def revoke_by_form(request: Request, db: Db, acting: Acting, token_id: UserId) -> Response:
    token = await revoke_api_token(db, acting, token_id)
    return done(request, "/tokens", f"The token {token.name} is revoked.")


@router.get("/audit", Role.ADMIN)
async def show_audit(
    request: Request, db: Db, paging: CursorPaging, user: Text = "", action: Text = "", kind: Text = ""
) -> Response:
    wanted = AuditFilter(user or None, action or None, kind or None)
    return render(
        request,
        "users/audit.html",
        AuditPage(await list_audit(db, wanted, paging), wanted),
        title="Audit log",
    )


def _role(text: str) -> Role:
    if text not in ("user", "admin"):
        raise InvalidInput("the role is user or admin")
    return Role(text)
