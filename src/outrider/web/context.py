"""What the handlers of one server process share."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import asyncpg
from starlette.requests import HTTPConnection, Request

from outrider.auth.model import ANONYMOUS, Principal
from outrider.auth.rate_limits import Allowed
from outrider.db.pool import explain
from outrider.errors import Unavailable
from outrider.settings import Loaded, Settings

ACQUIRE_TIMEOUT_S = 5.0

Identify = Callable[[Request, asyncpg.Connection], Awaitable[Principal]]
CheckRate = Callable[[Request, asyncpg.Connection, Principal, str], Awaitable[Allowed | None]]


async def _anonymous(_: Request, __: asyncpg.Connection) -> Principal:
    return ANONYMOUS


async def _unlimited(_: Request, __: asyncpg.Connection, ___: Principal, ____: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The settings, the database pool, and how requests are identified and limited."""

    loaded: Loaded
    pool: asyncpg.Pool
    identify: Identify = _anonymous
    check_rate: CheckRate = _unlimited
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    parts: dict[str, Any] = field(default_factory=dict)  # objects that single features keep for this process

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        """One connection of the pool; raises Unavailable if none is free in time."""
        try:
            proxy = await self.pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
        except TimeoutError as error:
            raise Unavailable("the database has no free connection: try again in a moment") from error
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise explain(error, self.settings.database.url or "the embedded database") from error
        try:
            yield cast(asyncpg.Connection, proxy)
        finally:
            await self.pool.release(proxy)


def context_of(connection: HTTPConnection) -> ServerContext:
    """The context of the application that serves this request."""
    context: ServerContext = connection.app.state.context
    return context
