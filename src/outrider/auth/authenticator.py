"""Turns the credentials of a request into one principal.

Nothing is cached: a revocation in another process acts on the next request. A request costs one indexed
query; with sessions in Redis one more round trip.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import asyncpg

from outrider.auth import api_tokens, jwt, stream_tokens
from outrider.auth.keys import LONGEST_KEY, SiteKeys, hash_key, is_same_secret
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.secrets import Secrets
from outrider.auth.sessions import SessionStore, session_id_of
from outrider.auth.users import User, user_by_id
from outrider.errors import InvalidInput, Unauthenticated

_SESSION_OVER = "the session is over: sign in again"
_REVOKED = "the bearer token was revoked: sign in again"
_BAD_TOKEN = "the API token is not valid, has expired or was revoked"
_STREAM_OVER = "the login behind the stream token was revoked: sign in again"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request presented. The first that is set counts, in the order of the fields."""

    bearer: str | None = field(default=None, repr=False)  # a JWT or an API token
    service_secret: str | None = field(default=None, repr=False)
    site_key: str | None = field(default=None, repr=False)
    stream_token: str | None = field(default=None, repr=False)
    path: str | None = None  # of the request; a stream token is for one path
    session: str | None = field(default=None, repr=False)  # the value of the cookie
    is_in_use: bool = False  # a stream was opened with them: the stream token may have expired since


class Authenticator:
    """Checks credentials of every kind."""

    def __init__(self, secrets: Secrets, sessions: SessionStore, site_keys: SiteKeys | None = None) -> None:
        self._secrets = secrets
        self._sessions = sessions
        self._site_keys = site_keys

    async def principal(self, db: asyncpg.Connection, credentials: Credentials) -> Principal:
        """Whom a request acts for; ANONYMOUS without credentials.

        Raises Unauthenticated if the credentials are not valid. Others of the same request are not tried
        then: a caller must not act for another user than it meant.
        """
        if credentials.bearer is not None:
            return await self._bearer(db, credentials.bearer)
        if credentials.service_secret is not None:
            return self._service(credentials.service_secret)
        if credentials.site_key is not None:
            return await self._site(db, credentials.site_key)
        if credentials.stream_token is not None:
            return await self._stream(db, credentials)
        if credentials.session is not None:
            return await self._session(db, credentials.session)
        return ANONYMOUS

    async def stream_token(
        self, db: asyncpg.Connection, principal: Principal, path: str, now: datetime
    ) -> str:
        """A token with which EventSource opens the stream at `path`."""
        user = None if principal.user_id is None else await user_by_id(db, principal.user_id)
        generation = 0 if user is None else user.generation
        return stream_tokens.issue_stream_token(principal, generation, path, self._secrets.session, now)

    async def _bearer(self, db: asyncpg.Connection, token: str) -> Principal:
        if token.startswith(api_tokens.PREFIX):
            found = await api_tokens.use_token(db, token)
            if found is None:
                raise Unauthenticated(_BAD_TOKEN)
            return _of_api_token(found)
        claims = jwt.read_jwt(token, self._secrets.jwt)
        user = await jwt.user_of_jwt(db, claims.user_id, claims.generation, claims.jti)
        if user is None:
            raise Unauthenticated(_REVOKED)
        return _of_user(user, ProvenBy.JWT, token_id=str(claims.jti))

    async def _session(self, db: asyncpg.Connection, cookie: str) -> Principal:
        try:
            session_id = session_id_of(cookie)
        except InvalidInput:
            raise Unauthenticated(_SESSION_OVER) from None
        session = await self._sessions.find(db, session_id)
        if session is None or not session.is_valid:
            raise Unauthenticated(_SESSION_OVER)
        return _of_user(session.user, ProvenBy.SESSION, session_id=session_id)

    async def _stream(self, db: asyncpg.Connection, given: Credentials) -> Principal:
        claims = stream_tokens.read_stream_token(
            given.stream_token or "", given.path or "", self._secrets.session, may_be_over=given.is_in_use
        )
        behind = await self._behind(db, claims)
        if behind is None:
            raise Unauthenticated(_STREAM_OVER)
        user, role = behind
        return Principal(role, ProvenBy.STREAM_TOKEN, user.user_id, user.name, read_only=True)

    async def _behind(
        self, db: asyncpg.Connection, claims: stream_tokens.StreamClaims
    ) -> tuple[User, Role] | None:
        """The user of the credential that a stream token came from, and its role; None if it was revoked."""
        match claims.via:
            case ProvenBy.SESSION:
                session = await self._sessions.find(db, claims.via_id)
                return (session.user, session.user.role) if session and session.is_valid else None
            case ProvenBy.JWT:
                user = await jwt.user_of_jwt(db, claims.user_id, claims.generation, UUID(claims.via_id))
                return (user, user.role) if user else None
            case ProvenBy.API_TOKEN:
                found = await api_tokens.token_by_id(db, int(claims.via_id))
                return (found.owner, found.role) if found else None
            case _:
                return None

    def _service(self, secret: str) -> Principal:
        expected = self._secrets.internal
        if expected is None or not is_same_secret(secret[:LONGEST_KEY], expected):
            raise Unauthenticated("the internal secret is not right")
        return Principal(Role.SERVICE, ProvenBy.SERVICE_SECRET, name="service")

    async def _site(self, db: asyncpg.Connection, key: str) -> Principal:
        site_id = None
        if self._site_keys is not None and len(key) <= LONGEST_KEY:
            site_id = await self._site_keys.site_of(db, hash_key(key))
        if site_id is None:
            raise Unauthenticated("the key of the site is not valid")
        return Principal(Role.SITE, ProvenBy.SITE_KEY, name=f"site {site_id}", site_id=site_id)


def _of_user(
    user: User, proven_by: ProvenBy, *, session_id: str | None = None, token_id: str | None = None
) -> Principal:
    return Principal(user.role, proven_by, user.user_id, user.name, session_id, token_id)


def _of_api_token(found: api_tokens.UsableToken) -> Principal:
    return Principal(
        found.role,
        ProvenBy.API_TOKEN,
        found.owner.user_id,
        found.owner.name,
        token_id=str(found.token_id),
        read_only=found.read_only,
    )
