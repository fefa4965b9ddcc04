"""The real application of the API on a port of loopback, in the process of the test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
from tests.support.api import PASSWORDS
from tests.support.streams import listening_socket

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.services.users.api_tokens import TokenRequest, create_api_token
from outrider.services.users.users import add_user
from outrider.settings import load
from outrider.web.assemble import server_app, server_context
from outrider.web.process import ApiServer, server_config

SECRETS = {"jwt_secret": "j" * 32, "session_secret": "s" * 32}


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """A server, and API tokens of an administrator: one that may change something, one that may only read."""

    url: str
    token: str = field(repr=False)
    read_only: str = field(repr=False)

    @property
    def settings(self) -> dict[str, str]:
        return {"OUTRIDER_URL": self.url, "OUTRIDER_TOKEN": self.token}


@asynccontextmanager
async def real_server(pool: asyncpg.Pool, dsn: str, data: Path) -> AsyncIterator[ApiAddress]:
    """The server, until the block ends."""
    given = {"data": data, "allow_private": "127.0.0.0/8", "delay": "0", "rate_limit_admin": 6000, **SECRETS}
    loaded = load(given, config=None)
    context = server_context(loaded, pool)
    context.parts["dsn"] = dsn
    opened = listening_socket()
    server = ApiServer(server_config(server_app(context), loaded.settings))
    task = asyncio.create_task(server.serve(sockets=[opened]))
    keys = await _tokens(pool)
    try:
        yield ApiAddress(f"http://127.0.0.1:{opened.getsockname()[1]}", *keys)
    finally:
        server.should_exit = server.force_exit = True
        await task
        await context.parts["identity"].close()


async def _tokens(pool: asyncpg.Pool) -> list[str]:
    actor, now = shell_actor("tests"), datetime.now(UTC)
    async with pool.acquire() as db:
        await add_user(db, actor, "ada", "password of ada", Role.ADMIN, PASSWORDS)
        wanted = (TokenRequest("all", "ada"), TokenRequest("look", "ada", read_only=True))
        return [(await create_api_token(db, actor, each, now)).key for each in wanted]
