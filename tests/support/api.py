"""The API in the process of the test, called over ASGI as one of its roles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
from starlette.requests import HTTPConnection

from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.settings import load
from outrider.web.api.v1.routers import ROUTERS
from outrider.web.context import ServerContext
from outrider.web.dashboard.routers import PAGES
from outrider.web.router import ApiRouter
from outrider.web.server import build_app

_AS = "x-test-role"  # only this application believes it

PRINCIPALS = {
    "anonymous": ANONYMOUS,
    "user": Principal(Role.USER, ProvenBy.SESSION, user_id=2, name="uma"),
    "admin": Principal(Role.ADMIN, ProvenBy.SESSION, user_id=1, name="ada"),
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


async def _identify(connection: HTTPConnection, _: asyncpg.Connection) -> Principal:
    return PRINCIPALS[connection.headers.get(_AS, "anonymous")]


def api_on(pool: asyncpg.Pool, routers: Sequence[ApiRouter] = ROUTERS, **settings: Any) -> Api:
    """The API on a database of a test, with these settings."""
    context = ServerContext(load(settings, config=None), pool, identify=_identify)
    transport = httpx.ASGITransport(build_app(context, routers, PAGES), raise_app_exceptions=False)
    return Api(httpx.AsyncClient(transport=transport, base_url="http://outrider.test"), context)
