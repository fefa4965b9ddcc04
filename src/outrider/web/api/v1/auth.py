"""`/api/v1/auth`: sign in and out (API-05 to API-07), and tokens for streams (AUT-08)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.login import LoginAttempt
from outrider.auth.metrics import TokenKind
from outrider.auth.model import ProvenBy, Role
from outrider.services.users.sign_in import SignedIn, SignInTools, sign_in, sign_out
from outrider.web.answers import respond
from outrider.web.api.v1.shapes.auth import SignedInShape
from outrider.web.audit import Acting
from outrider.web.context import context_of
from outrider.web.dependencies import Caller, Context, Db, RequestBody
from outrider.web.identity import SESSION_COOKIE, Identity, client_address, refuse_other_sites
from outrider.web.router import ApiRouter

router = ApiRouter("auth")


def identity_of(request: Request) -> Identity:
    """The identity of this server; tests that need none leave it out."""
    identity: Identity = context_of(request).parts["identity"]
    return identity


def _tools(request: Request) -> SignInTools:
    return identity_of(request).tools


Tools = Annotated[SignInTools, Depends(_tools)]


class Login(RequestBody):
    """A user name and a password."""

    username: str = Field(max_length=200)
    password: str = Field(max_length=2_000)


class StreamTokenRequest(RequestBody):
    """The stream that a browser wants to open."""

    path: str = Field(max_length=500, pattern="^/", examples=["/sse/crawler/events"])


@dataclass(frozen=True, slots=True)
class WhoAmI:
    """The caller of a request."""

    user_id: int | None
    name: str
    role: Role
    proven_by: ProvenBy
    read_only: bool


@dataclass(frozen=True, slots=True)
class StreamToken:
    """A token for one stream, valid for a minute."""

    token: str
    path: str


@router.post(
    "/api/v1/auth/login",
    Role.ANONYMOUS,
    summary="Sign in",
    action="login",
    result=SignedInShape,
    aliases=("/api/auth/login",),
    in_transaction=False,
    is_secret=True,
    records_itself=True,
    errors=(401,),
)
async def log_in(request: Request, db: Db, tools: Tools, body: Login) -> Response:
    """Check a password; sets the session cookie and returns a bearer token. Failures are slowed down."""
    refuse_other_sites(request)
    attempt = LoginAttempt(body.username, body.password, client_address(request))
    signed_in = await sign_in(db, tools, attempt, datetime.now(UTC), request.state.request_id)
    response = respond(signed_in)
    set_session_cookie(request, response, signed_in)
    return response


@router.post(
    "/api/v1/auth/logout",
    Role.USER,
    summary="Sign out",
    action="logout",
    aliases=("/api/auth/logout",),
    in_transaction=False,
    records_itself=True,
    status=204,
)
async def log_out(request: Request, db: Db, tools: Tools, acting: Acting) -> Response:
    """End the session and revoke the bearer token of this request."""
    await sign_out(db, tools, acting, datetime.now(UTC))
    response = Response(status_code=204)
    response.delete_cookie(SESSION_COOKIE, path=request.scope.get("root_path", "") or "/")
    return response


@router.get(
    "/api/v1/auth/me", Role.USER, summary="Show who you are", result=WhoAmI, aliases=("/api/auth/me",)
)
async def show_me(caller: Caller) -> WhoAmI:
    """The identity and the role of this request."""
    return WhoAmI(caller.user_id, caller.name, caller.role, caller.proven_by, caller.read_only)


@router.post(
    "/api/v1/auth/stream-token",
    Role.USER,
    summary="Get a token for a stream",
    action="stream_token.issue",
    result=StreamToken,
    is_secret=True,
    records_itself=True,
)
async def issue_stream_token(
    request: Request, db: Db, caller: Caller, body: StreamTokenRequest, context: Context
) -> StreamToken:
    """A token for `?token=` of one event stream, because `EventSource` cannot send headers."""
    identity = identity_of(request)
    token = await identity.authenticator.stream_token(db, caller, body.path, datetime.now(UTC))
    identity.metrics.count_token(TokenKind.STREAM_TOKEN)
    return StreamToken(token, body.path)


def set_session_cookie(request: Request, response: Response, signed_in: SignedIn) -> None:
    """Give the browser its session (AUT-02); over https it is sent over https only."""
    response.set_cookie(
        SESSION_COOKIE,
        signed_in.session_cookie,
        max_age=24 * 3600,
        path=request.scope.get("root_path", "") or "/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
