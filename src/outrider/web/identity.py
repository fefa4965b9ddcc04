"""Whom a request acts for, whether it came from our own pages, and whether it is within its rate limits."""

import asyncpg
from starlette.datastructures import URL
from starlette.requests import Request

from outrider.auth.authenticator import Authenticator, Credentials
from outrider.auth.csrf import (
    SAFE_METHODS,
    CsrfVerdict,
    RequestOrigin,
    check_csrf,
    check_origin,
    csrf_token,
)
from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import Principal, ProvenBy
from outrider.auth.open_stores import open_rate_limits, open_sessions
from outrider.auth.options import AuthOptions
from outrider.auth.passwords import Passwords
from outrider.auth.rate_limits import Allowed, limits_for, refused_limit, take
from outrider.auth.secrets import Secrets
from outrider.errors import Denied
from outrider.services.users.sign_in import SignInTools
from outrider.settings import Settings
from outrider.sites.keys import PREFIX as SITE_KEY_PREFIX
from outrider.sites.store import SiteKeyIndex

SESSION_COOKIE = "outrider_session"
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf_token"
SEED_LIMIT = "seed"
PAGE_LIMIT = "pages"  # reading pages is not limited like calls of programs
REFUSED_LIMIT = "refused"  # credentials that are not valid
STREAM_LIMIT = "streams"  # streams of users are not limited: a browser gives up after one refusal
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class Identity:
    """Identifies and limits the requests of one server process."""

    def __init__(self, settings: Settings, secrets: Secrets, metrics: AuthMetrics | None = None) -> None:
        self.metrics = metrics or AuthMetrics()
        self.tools = SignInTools(secrets, open_sessions(settings.redis), Passwords(), self.metrics)
        self.authenticator = Authenticator(secrets, self.tools.sessions, SiteKeyIndex())
        self._options: AuthOptions = settings.auth
        self._limits = open_rate_limits(settings.redis, self.metrics)
        self._secret = secrets.session

    async def identify(self, request: Request, db: asyncpg.Connection) -> Principal:
        """The principal of a request; raises Unauthenticated for credentials that are not valid.

        A request that changes something with a session cookie must come from our own pages (AUT-19).
        """
        principal = await self.authenticator.principal(db, credentials_of(request))
        if principal.proven_by is ProvenBy.SESSION and principal.session_id is not None:
            request.state.csrf_token = csrf_token(principal.session_id, self._secret)
            await self._check_csrf(request, principal.session_id)
        return principal

    async def check_rate(
        self, request: Request, db: asyncpg.Connection, principal: Principal, limit: str
    ) -> Allowed | None:
        """Count the request; raises TooManyRequests over a limit."""
        is_page = limit == PAGE_LIMIT and request.method in SAFE_METHODS
        if is_page or (limit == STREAM_LIMIT and principal.is_signed_in):
            return None
        address = client_address(request)
        if limit == REFUSED_LIMIT:
            limits = [refused_limit(address, self._options)]
        else:
            limits = limits_for(principal, address, self._options, adds_seeds=limit == SEED_LIMIT)
        return await take(db, self._limits, limits, self.metrics)

    async def close(self) -> None:
        await self.tools.sessions.close()
        await self._limits.close()

    async def _check_csrf(self, request: Request, session_id: str) -> None:
        if request.method in SAFE_METHODS:
            return
        token = request.headers.get(CSRF_HEADER)
        if token is None and request.headers.get("content-type", "").startswith(_FORMS):
            field = (await request.form()).get(CSRF_FIELD)
            token = field if isinstance(field, str) else None
        verdict = check_csrf(request.method, origin_of(request), token, session_id, self._secret)
        if verdict is not CsrfVerdict.OK:
            raise Denied(verdict.sentence)


def credentials_of(request: Request) -> Credentials:
    """What a request presents."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    token = request.query_params.get("token") if request.method == "GET" else None
    root = request.scope.get("root_path", "")
    bearer = given.strip() if scheme.lower() == "bearer" else None
    site_key = request.headers.get("x-site-key")
    if bearer is not None and bearer.startswith(SITE_KEY_PREFIX):  # as the middleware of a site sends it
        bearer, site_key = None, bearer
    return Credentials(
        bearer=bearer,
        service_secret=request.headers.get("x-internal-secret"),
        site_key=site_key,
        stream_token=token,
        path=request.url.path.removeprefix(root),
        session=request.cookies.get(SESSION_COOKIE),
    )


def origin_of(request: Request) -> RequestOrigin:
    """What a request says about the page that sent it."""
    url: URL = request.url
    return RequestOrigin(
        own=f"{url.scheme}://{url.netloc}",
        sec_fetch_site=request.headers.get("sec-fetch-site"),
        origin=request.headers.get("origin"),
        referer=request.headers.get("referer"),
    )


def refuse_other_sites(request: Request) -> None:
    """Refuse a form of another site that would sign a reader in; programs send no origin at all."""
    if check_origin(origin_of(request)) is CsrfVerdict.CROSS_SITE:
        raise Denied(CsrfVerdict.CROSS_SITE.sentence)


def client_address(request: Request) -> str | None:
    """The address of the client, as the trusted proxies say."""
    return request.client.host if request.client else None
