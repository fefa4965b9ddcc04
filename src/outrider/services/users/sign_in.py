"""Use cases of signing in and out: a password becomes a session and a JWT."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import asyncpg

from outrider.auth import first_admin, jwt
from outrider.auth.audit import Actor, AuditResult, record
from outrider.auth.login import LoginAttempt, log_in
from outrider.auth.metrics import AuthMetrics, TokenKind
from outrider.auth.model import Principal, ProvenBy, Role
from outrider.auth.options import AuthOptions
from outrider.auth.passwords import Passwords
from outrider.auth.secrets import Secrets
from outrider.auth.sessions import SessionStore
from outrider.auth.users import User, record_login
from outrider.errors import Unauthenticated
from outrider.services.users.users import USER, UserDetails, audited, details_of_user


@dataclass(frozen=True, slots=True)
class SignInTools:
    """What signing in needs; a server makes one at its start."""

    secrets: Secrets
    sessions: SessionStore
    passwords: Passwords
    metrics: AuthMetrics


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A login that succeeded: the bearer token, and the value of the session cookie."""

    token: str = field(repr=False)
    expires_at: datetime
    user: UserDetails
    session_cookie: str = field(repr=False)
    session_id: str

    def json_form(self) -> dict[str, object]:
        """The cookie is no part of the answer: scripts of a page must not see it."""
        return {"token": self.token, "expires_at": self.expires_at, "user": self.user}


async def sign_in(
    db: asyncpg.Connection,
    tools: SignInTools,
    attempt: LoginAttempt,
    now: datetime,
    request_id: str | None = None,
) -> SignedIn:
    """Check the password, and create a session and a JWT.

    Raises Unauthenticated, or TooManyRequests with the time to wait. Runs outside a transaction.
    """
    try:
        user = await log_in(db, attempt, tools.passwords, tools.metrics)
    except Unauthenticated:
        # The name is left out: people type passwords into that field.
        actor = Actor(Principal(), attempt.address, request_id)
        await record(db, actor, "login", USER, result=AuditResult.REFUSED)
        raise
    return await _begin(db, tools, user, Actor(_principal(user), attempt.address, request_id), now)


async def sign_out(db: asyncpg.Connection, tools: SignInTools, actor: Actor, now: datetime) -> None:
    """End the session and revoke the JWT that the request presented. API tokens stay."""
    principal = actor.principal
    if principal.session_id is not None:
        await tools.sessions.end(db, principal.session_id)
    async with db.transaction():
        if principal.proven_by is ProvenBy.JWT and principal.token_id is not None:
            await jwt.revoke_jwt(db, UUID(principal.token_id), now + jwt.LIFE)
        await record(db, actor, "logout", USER, principal.user_id)


async def prepare_first_admin(
    db: asyncpg.Connection, options: AuthOptions, passwords: Passwords
) -> str | None:
    """At the start of a server without users: create the administrator that the settings name.

    Without OUTRIDER_ADMIN_PASSWORD it returns a set-up code, which the server shows; None if a user exists.
    """
    if options.admin_password:
        user = await first_admin.ensure_admin(db, options.admin_name, options.admin_password, passwords)
        if user is not None:
            actor = Actor(Principal(Role.ADMIN, ProvenBy.SHELL, name="settings"))
            await record(db, actor, "user.add", USER, user.user_id, after=audited(user))
        return None
    return await first_admin.new_setup_code(db)


async def set_up_first_admin(
    db: asyncpg.Connection,
    tools: SignInTools,
    code: str,
    attempt: LoginAttempt,
    now: datetime,
    request_id: str | None = None,
) -> SignedIn:
    """Create the first administrator with a set-up code, and sign in."""
    user = await first_admin.create_first_admin(db, code, attempt.name, attempt.password, tools.passwords)
    actor = Actor(_principal(user), attempt.address, request_id)
    await record(db, actor, "user.add", USER, user.user_id, after=audited(user))
    return await _begin(db, tools, await record_login(db, user), actor, now)


async def _begin(
    db: asyncpg.Connection, tools: SignInTools, user: User, actor: Actor, now: datetime
) -> SignedIn:
    session = await tools.sessions.create(db, user)
    token = jwt.issue_jwt(user, tools.secrets.jwt, now)
    await record(db, actor, "login", USER, user.user_id)
    tools.metrics.count_token(TokenKind.SESSION)
    tools.metrics.count_token(TokenKind.JWT)
    return SignedIn(token.token, token.expires_at, details_of_user(user), session.cookie, session.session_id)


def _principal(user: User) -> Principal:
    return Principal(user.role, ProvenBy.NOTHING, user.user_id, user.name)
