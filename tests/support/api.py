"""The API in the process of the test, called over ASGI as one of its roles."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import httpx
from argon2 import PasswordHasher
from starlette.requests import Request

from outrider.auth.audit import shell_actor
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.passwords import Passwords
from outrider.auth.secrets import Secrets
from outrider.services.users.users import add_user
from outrider.settings import load
from outrider.web.api.v1.routers import routers_for
from outrider.web.context import ServerContext
from outrider.web.dashboard.routers import PAGES
from outrider.web.identity import Identity
from outrider.web.router import ApiRouter
from outrider.web.server import build_app

ORIGIN = "http://outrider.test"
_AS = "x-test-role"  # only this application believes it

PRINCIPALS = {
    "anonymous": ANONYMOUS,
    "user": Principal(Role.USER, ProvenBy.SESSION, user_id=2, name="uma"),
    "admin": Principal(Role.ADMIN, ProvenBy.SESSION, user_id=1, name="ada"),
    "service": Principal(Role.SERVICE, ProvenBy.SERVICE_SECRET, name="service"),
}


@dataclass(frozen=True, slots=True)
class Api:
    """Calls the API. `role` is the role of the caller."""

    client: httpx.AsyncClient
    context: ServerContext

    async def get(self, path: str, role: str = "user", **more: Any) -> httpx.Response:
        return await self.call("GET", path, role, **more)

    async def post(self, path: str, body: Any = None, role: str = "admin", **more: Any) -> httpx.Response:
        return await self.call("POST", path, role, json=body, **more)

    async def call(self, method: str, path: str, role: str = "admin", **more: Any) -> httpx.Response:
        headers = {_AS: role, **more.pop("headers", {})}
        return await self.client.request(method, path, headers=headers, **more)


async def _identify(connection: Request, _: asyncpg.Connection) -> Principal:
    return PRINCIPALS[connection.headers.get(_AS, "anonymous")]


def api_on(pool: asyncpg.Pool, routers: Sequence[ApiRouter] | None = None, **settings: Any) -> Api:
    """The API on a database of a test, with these settings."""
    context = ServerContext(load(settings, config=None), pool, identify=_identify)
    found = routers_for(context) if routers is None else routers
    transport = httpx.ASGITransport(build_app(context, found, PAGES), raise_app_exceptions=False)
    return Api(httpx.AsyncClient(transport=transport, base_url=ORIGIN), context)


SECRETS = Secrets(b"j" * 32, b"s" * 32, internal="i" * 32)
PASSWORDS = Passwords(
    PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
)  # quick, as no attacker waits


@asynccontextmanager
async def signed_api_on(pool: asyncpg.Pool, **settings: Any) -> AsyncIterator[Api]:
    """The API as it runs for real: callers prove who they are. Users: ada (admin), uma (user)."""
    loaded = load(settings, config=None)
    identity = Identity(loaded.settings, SECRETS)
    identity.tools = replace(identity.tools, passwords=PASSWORDS)
    context = ServerContext(
        loaded, pool, identity.identify, identity.check_rate, parts={"identity": identity}
    )
    for name, role in (("ada", Role.ADMIN), ("uma", Role.USER)):
        async with context.connection() as db:
            await add_user(db, shell_actor("tests"), name, f"password of {name}", role, PASSWORDS)
    transport = httpx.ASGITransport(
        build_app(context, routers_for(context), PAGES), raise_app_exceptions=False
    )
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield Api(client, context)
    await identity.close()


async def bearer_of(api: Api, name: str) -> dict[str, str]:
    """The header of a user who has signed in."""
    answer = await api.client.post(
        "/api/v1/auth/login", json={"username": name, "password": f"password of {name}"}
    )
    api.client.cookies.clear()
    return {"Authorization": f"Bearer {answer.json()['token']}"}
