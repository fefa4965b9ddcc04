"""Every route and every page, called by every kind of caller."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from tests.support.api import PASSWORDS, SECRETS, Api, signed_api_on
from tests.support.roles import LEAST_ROLE, OF_SITE_KEYS, PAGE_ROLE

from outrider.auth.api_tokens import create_token, revoke_token
from outrider.auth.audit import shell_actor
from outrider.auth.authenticator import Authenticator
from outrider.auth.jwt import issue_jwt, revoke_jwt
from outrider.auth.keys import hash_key
from outrider.auth.model import Role
from outrider.auth.users import User, disable, find_user
from outrider.services.users.users import add_user
from outrider.web.api.v1.routers import routers_for
from outrider.web.dashboard.routers import PAGES
from outrider.web.identity import SESSION_COOKIE

SITE_KEY = "ors_key_of_a_site"
ANY_ID = 999_999  # stands for every parameter of a path
READING = ("GET", "HEAD")
PROBES = ("/health", "/health/live", "/health/ready", "/metrics")  # they look at no credentials
LAST = ("/api/v1/auth/logout", "/api/auth/logout", "/logout", "/account/sign-out")  # they end a login
LIMITS = ("anonymous", "user", "admin", "seeds")

Route = tuple[str, str]  # method and path
Headers = Callable[[], Awaitable[dict[str, str]]]


@dataclass(frozen=True)
class Caller:
    """A kind of caller, and what it is after it has proven itself."""

    headers: Headers
    role: Role | None  # None: its credentials are not valid
    changes: bool = True  # False: it may only read


@dataclass(frozen=True)
class OneSite:
    """The keys of a server that knows one site."""

    site_id: int = 7

    async def site_of(self, db: asyncpg.Connection, key_hash: bytes) -> int | None:
        return self.site_id if key_hash == hash_key(SITE_KEY) else None


def routes_of(api: Api) -> tuple[list[Route], list[Route]]:
    """The routes of the API, aliases included, and those of the pages."""
    declared = ([each.routes for each in group] for group in (routers_for(api.context), PAGES))
    api_routes, pages = (
        [(method, route.path) for router in group for route in router.routes for method in route.methods]
        for group in declared
    )
    return api_routes, pages


async def status_of(api: Api, route: Route, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """The status and the headers of the answer; the caller leaves as soon as it has them."""
    method, path = route
    target = re.sub(r"\{[^}]*\}", str(ANY_ID), path)
    head: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    body = b"" if method in READING else b"{}"
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}
        await asyncio.wait([head])
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and not head.done():
            head.set_result(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": target,
        "raw_path": target.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"outrider.test"), (b"content-type", b"application/json")]
        + [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("outrider.test", 80),
    }
    app = api.client._transport.app  # type: ignore[attr-defined]
    task = asyncio.create_task(app(scope, receive, send))
    done, _ = await asyncio.wait([head, task], timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert done, f"{route} does not answer"
    with suppress(Exception):
        await asyncio.wait_for(task, 30)
    answer = await head
    return answer["status"], {name.decode(): value.decode() for name, value in answer["headers"]}


def is_permitted(caller: Caller, least: Role, method: str) -> bool:
    if caller.role is not None and not caller.changes and method not in READING:
        return False
    if least is Role.ANONYMOUS:
        return True
    if least is Role.USER:
        return caller.role in (Role.USER, Role.ADMIN)
    return caller.role is least


def mistake(
    route: Route, caller: Caller, least: Role, status: int, headers: dict[str, str], is_page: bool
) -> str | None:
    """What is wrong with the answer to the caller."""
    goes_to_login = status == 303 and headers.get("location", "").startswith("/login?next=")
    if status >= 500 and status != 503:
        return f"a server error {status}"
    if caller.role is Role.SITE and route[1] not in PROBES:  # its key is for calls of its own site only
        return None if status == 403 else f"another site got {status}"
    if is_permitted(caller, least, route[0]):
        return f"refused with {status}" if status in (401, 403) or goes_to_login else None
    if caller.role in (None, Role.ANONYMOUS):
        if is_page:
            return None if goes_to_login else f"{status} instead of the sign-in"
        return None if status == 401 else f"{status} instead of 401"
    return None if status == 403 else f"{status} instead of 403"


async def callers_of(api: Api) -> dict[str, Caller]:
    """One caller of each kind."""
    now, identity = datetime.now(UTC), api.context.parts["identity"]
    identity.authenticator = Authenticator(SECRETS, identity.tools.sessions, OneSite())
    async with api.context.connection() as db:
        ada, uma = await find_user(db, "ada"), await find_user(db, "uma")
        for name in ("dan", "una"):
            await add_user(db, shell_actor("tests"), name, f"password of {name}", Role.ADMIN, PASSWORDS)
        dan = await find_user(db, "dan")
        _, dans_key = await create_token(db, dan, "of dan")
        await disable(db, dan)
        _, reader = await create_token(db, await find_user(db, "una"), "reader", read_only=True)
        revoked, revoked_key = await create_token(db, ada, "revoked")
        await revoke_token(db, revoked.token_id, None)
        revoked_jwt = issue_jwt(ada, SECRETS.jwt, now)
        await revoke_jwt(db, revoked_jwt.jti, revoked_jwt.expires_at)

    def fresh(user: User) -> Headers:
        async def headers() -> dict[str, str]:
            async with api.context.connection() as db:
                current = await find_user(db, user.name)
            return bearer(issue_jwt(current, SECRETS.jwt, now).token)

        return headers

    async def session() -> dict[str, str]:
        body = {"username": "ada", "password": "password of ada"}
        answer = await api.client.post("/api/v1/auth/login", json=body)
        api.client.cookies.clear()
        return {"Cookie": f"{SESSION_COOKIE}={answer.cookies[SESSION_COOKIE]}"}

    def always(headers: dict[str, str]) -> Headers:
        async def given() -> dict[str, str]:
            return headers

        return given

    valid = issue_jwt(ada, SECRETS.jwt, now).token
    head, payload, _ = valid.split(".")
    other = issue_jwt(uma, SECRETS.jwt, now).token.split(".")[2]
    return {
        "anonymous": Caller(always({}), Role.ANONYMOUS),
        "user": Caller(fresh(uma), Role.USER),
        "admin": Caller(fresh(ada), Role.ADMIN),
        "admin by a session, without a form token": Caller(session, Role.ADMIN, changes=False),
        "token of an admin that may only read": Caller(always(bearer(reader)), Role.ADMIN, changes=False),
        "service": Caller(always({"X-Internal-Secret": "i" * 32}), Role.SERVICE),
        "wrong service secret": Caller(always({"X-Internal-Secret": "j" * 32}), None),
        "site": Caller(always({"X-Site-Key": SITE_KEY}), Role.SITE),
        "unknown site": Caller(always({"X-Site-Key": SITE_KEY + "x"}), None),
        "expired token": Caller(
            always(bearer(issue_jwt(ada, SECRETS.jwt, now - timedelta(days=2)).token)), None
        ),
        "token of tomorrow": Caller(
            always(bearer(issue_jwt(ada, SECRETS.jwt, now + timedelta(days=1)).token)), None
        ),
        "revoked token": Caller(always(bearer(revoked_jwt.token)), None),
        "revoked API token": Caller(always(bearer(revoked_key)), None),
        "token with another signature": Caller(always(bearer(f"{head}.{payload}.{other}")), None),
        "token signed by another secret": Caller(always(bearer(issue_jwt(ada, b"x" * 32, now).token)), None),
        "token without a signature": Caller(always(bearer(f"{head}.{payload}.")), None),
        "disabled user": Caller(fresh(dan), None),
        "API token of a disabled user": Caller(always(bearer(dans_key)), None),
        "old session": Caller(always({"Cookie": f"{SESSION_COOKIE}={'x' * 43}"}), None),
    }


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_every_route_has_a_least_role_in_the_table(pool):
    async with signed_api_on(pool, internal_secret="i" * 32) as api:
        api_routes, pages = routes_of(api)

    assert sorted(set(api_routes)) == sorted(LEAST_ROLE)
    assert sorted(set(pages)) == sorted(PAGE_ROLE)
    assert len(LEAST_ROLE) > 120


@pytest.mark.timeout(300)
async def test_every_route_lets_in_whom_it_should_and_nobody_else(pool):
    many = {f"rate_limit_{name}": 6_000 for name in LIMITS}
    async with signed_api_on(pool, internal_secret="i" * 32, **many) as api:
        mistakes = []
        expected = [(route, role, False) for route, role in LEAST_ROLE.items()]
        expected += [(route, role, True) for route, role in PAGE_ROLE.items()]
        expected.sort(key=lambda each: each[0][1] in LAST)
        for name, caller in (await callers_of(api)).items():
            headers = await caller.headers()
            for route, least, is_page in expected:
                if route[1] in LAST:
                    headers = await caller.headers()
                status, answered = await status_of(api, route, headers)
                if wrong := mistake(route, caller, least, status, answered, is_page):
                    mistakes.append(f"{name}: {' '.join(route)}: {wrong}")

    assert not mistakes, "\n".join(mistakes)


async def test_the_key_of_a_site_opens_the_calls_of_its_site_and_nothing_else(pool):
    many = {f"rate_limit_{name}": 6_000 for name in LIMITS}
    async with signed_api_on(pool, internal_secret="i" * 32, **many) as api:
        api.context.parts["identity"].authenticator = Authenticator(SECRETS, None, OneSite(ANY_ID))
        await pool.execute(
            "INSERT INTO site (site_id, name, base_url, hosts) OVERRIDING SYSTEM VALUE"
            " VALUES ($1, 'shop', 'https://shop.test', ARRAY['shop.test'])",
            ANY_ID,
        )
        opened = set()
        for route in LEAST_ROLE:
            status, _ = await status_of(api, route, {"X-Site-Key": SITE_KEY})
            if status not in (401, 403):
                opened.add(route)

    everyone = {route for route, least in LEAST_ROLE.items() if least is Role.ANONYMOUS}
    assert opened - everyone == OF_SITE_KEYS
