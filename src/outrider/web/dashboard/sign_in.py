"""Sign in and out, the first administrator, the theme, and one's own account (UI-01)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from outrider.auth.login import LoginAttempt
from outrider.auth.model import Role
from outrider.auth.users import has_users
from outrider.errors import InvalidInput, OutriderError
from outrider.services.users.changes import change_own_password, sign_out_everywhere
from outrider.services.users.sign_in import SignedIn, set_up_first_admin, sign_in, sign_out
from outrider.web.api.v1.auth import Tools, set_session_cookie
from outrider.web.audit import Acting
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import THEME_COOKIE, THEMES, render
from outrider.web.dashboard.way_back import came_from, own_path
from outrider.web.dependencies import Caller, Db
from outrider.web.errors import status_of
from outrider.web.identity import SESSION_COOKIE, client_address, refuse_other_sites

router = PageRouter()

Name = Annotated[str, Form(max_length=200)]
Password = Annotated[str, Form(max_length=2_000)]
Target = Annotated[str, Form(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class SignInPage:
    """The form, the page that follows it, and what was wrong with the last attempt."""

    following: str = "/overview"
    name: str = ""
    error: str = ""
    has_users: bool = True


@dataclass(frozen=True, slots=True)
class SetUpPage:
    """The form that creates the first administrator."""

    code: str
    name: str = "admin"
    error: str = ""


@router.get("/login", Role.ANONYMOUS)
async def show_login(
    request: Request, db: Db, caller: Caller, next: Annotated[str, Query(max_length=2_000)] = ""
) -> Response:
    if caller.is_signed_in:
        return RedirectResponse(_root(request) + own_path(next), 303)
    page = SignInPage(own_path(next), has_users=await has_users(db))
    return render(request, "sign_in/login.html", page, title="Sign in")


@router.post("/login", "login", Role.ANONYMOUS, in_transaction=False, is_secret=True, records_itself=True)
async def log_in_by_form(
    request: Request, db: Db, tools: Tools, name: Name, password: Password, following: Target = ""
) -> Response:
    refuse_other_sites(request)
    attempt = LoginAttempt(name, password, client_address(request))
    try:
        signed_in = await sign_in(db, tools, attempt, datetime.now(UTC), request.state.request_id)
    except OutriderError as error:
        page = SignInPage(own_path(following), name, sentence(error))
        return render(request, "sign_in/login.html", page, title="Sign in", status=status_of(error)[0])
    return _begin(request, signed_in, own_path(following))


@router.get("/setup", Role.ANONYMOUS)
async def show_setup(request: Request, db: Db, code: Annotated[str, Query(max_length=200)] = "") -> Response:
    if await has_users(db):
        return done(request, "/login", "There is a user already: sign in.", kind="danger")
    return render(request, "sign_in/setup.html", SetUpPage(code), title="Set up")


@router.post("/setup", "user.add", Role.ANONYMOUS, in_transaction=False, is_secret=True, records_itself=True)
async def set_up(
    request: Request,
    db: Db,
    tools: Tools,
    code: Annotated[str, Form(max_length=200)],
    name: Name,
    password: Password,
) -> Response:
    refuse_other_sites(request)
    attempt = LoginAttempt(name, password, client_address(request))
    try:
        signed_in = await set_up_first_admin(db, tools, code, attempt, datetime.now(UTC))
    except OutriderError as error:
        page = SetUpPage(code, name, sentence(error))
        return render(request, "sign_in/setup.html", page, title="Set up", status=status_of(error)[0])
    return _begin(request, signed_in, "/overview")


@router.post("/logout", "logout", Role.USER, in_transaction=False, records_itself=True)
async def log_out_by_form(request: Request, db: Db, tools: Tools, acting: Acting) -> Response:
    await sign_out(db, tools, acting, datetime.now(UTC))
    response = done(request, "/login", "You are signed out.")
    response.delete_cookie(SESSION_COOKIE, path=_root(request) or "/")
    return response


@router.post("/theme", "theme", Role.ANONYMOUS, needs_database=False, records_itself=True)
async def choose_theme(request: Request, theme: Annotated[str, Form(max_length=10)] = "") -> Response:
    """Remember the theme; without JavaScript the button goes from one to the other."""
    if theme not in THEMES:
        theme = "light" if request.cookies.get(THEME_COOKIE) == "dark" else "dark"
    response = RedirectResponse(_root(request) + came_from(request, "/overview"), 303)
    response.set_cookie(THEME_COOKIE, theme, max_age=31_536_000, path=_root(request) or "/", samesite="lax")
    return response


@router.get("/account")
async def show_account(request: Request, caller: Caller) -> Response:
    return render(request, "sign_in/account.html", caller, title="Account")


@router.post("/account/password", "user.password", Role.USER, records_itself=True)
async def change_password(
    request: Request, db: Db, tools: Tools, acting: Acting, old: Password, new: Password, again: Password
) -> Response:
    if new != again:
        raise InvalidInput("the two new passwords are not the same: type the new one twice")
    await change_own_password(db, acting, old, new, tools.passwords)
    return done(request, "/login", "Your password is changed. Sign in with the new one.")


@router.post("/account/sign-out", "user.sign_out_everywhere", Role.USER, records_itself=True)
async def end_own_sessions(request: Request, db: Db, acting: Acting) -> Response:
    await sign_out_everywhere(db, acting, acting.principal.name)
    return done(request, "/login", "All your sessions are over.")


def sentence(error: OutriderError) -> str:
    """The message of an error as a sentence of its own."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def _begin(request: Request, signed_in: SignedIn, following: str) -> Response:
    response = RedirectResponse(_root(request) + following, 303)
    set_session_cookie(request, response, signed_in)
    return response


def _root(request: Request) -> str:
    root: str = request.scope.get("root_path", "")
    return root
