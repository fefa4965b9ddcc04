"""The process that answers requests. SIGUSR1 makes it drain, SIGTERM makes it finish.

It starts without a database: requests then get 503 with Retry-After, and are answered again when the database
is back.
"""

import asyncio
import resource
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import asyncpg
import uvicorn

from outrider.db.pool import open_pool
from outrider.garbage_collection import skip_startup_objects
from outrider.logs import quieten
from outrider.settings import Loaded, Settings
from outrider.supervision.child import SupervisorLink, run_child, stop_without_parent
from outrider.web.protocol import Bounds, bounded_protocol

FINISH_S = 5.0  # for the requests under way
MORE_CONNECTIONS = 2_000  # besides streams


@dataclass(frozen=True, slots=True)
class ApiStart:
    """What a process of the API gets from its supervisor."""

    settings: Settings
    given: dict[str, Any]
    ignored: dict[str, str]
    dsn: str
    sockets: Sequence[socket.socket]
    shared_metrics: str | None = None  # the directory of PROMETHEUS_MULTIPROC_DIR

    @classmethod
    def of(
        cls, loaded: Loaded, dsn: str, sockets: Sequence[socket.socket], shared_metrics: str | None
    ) -> "ApiStart":
        given, ignored = dict(loaded.given), dict(loaded.ignored)
        return cls(loaded.settings, given, ignored, dsn, sockets, shared_metrics)

    @property
    def loaded(self) -> Loaded:
        return Loaded(self.settings, MappingProxyType(self.given), MappingProxyType(self.ignored))


class ApiServer(uvicorn.Server):
    """A uvicorn server whose process handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def serve_process(self, sockets: Sequence[socket.socket]) -> None:
        """Serve as the only work of this process: the application stays until the process ends."""
        skip_startup_objects()
        await self.serve(sockets=list(sockets))


def main(given: ApiStart, supervisor: SupervisorLink) -> None:
    """Entry point of the child process."""
    settings = given.settings
    _raise_file_limit()
    run_child(lambda: _run(given, supervisor), "api", settings.logs, settings.database, supervisor)


async def _run(given: ApiStart, supervisor: SupervisorLink) -> None:
    # Only here: the supervisor imports this module too, and need not read every route for it.
    from outrider.web.assemble import server_app, server_context
    from outrider.web.lifecycle import drain, start

    settings = given.settings
    pool = await open_api_pool(settings, given.dsn)
    context = server_context(given.loaded, pool, given.shared_metrics, given.dsn)
    server = ApiServer(server_config(server_app(context), settings))
    tasks: set[asyncio.Task[None]] = set()  # the loop keeps only weak references

    def begin(is_last: bool) -> None:
        async def finish() -> None:
            await drain(context)
            server.should_exit = server.should_exit or is_last

        tasks.add(asyncio.create_task(finish()))

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, begin, False)
    loop.add_signal_handler(signal.SIGTERM, begin, True)
    tasks.add(asyncio.create_task(stop_without_parent(supervisor, lambda: begin(True))))
    try:
        await start(context)
        supervisor.report_ready()
        await server.serve_process(given.sockets)
    finally:
        for task in tasks:
            task.cancel()
        await context.parts["identity"].close()
        pool.terminate()


async def open_api_pool(settings: Settings, dsn: str) -> asyncpg.Pool:
    """The connections of one process of the API; the database may be away."""
    return await open_pool(
        dsn,
        size=settings.web.connections,
        application_name="outrider api",
        through_pooler=settings.database.through_pooler,
        statement_timeout=timedelta(seconds=settings.database.statement_timeout_s),
        is_lazy=True,
    )


def server_config(app: Any, settings: Settings, bounds: Bounds | None = None) -> uvicorn.Config:
    """The configuration of uvicorn."""
    bounds = bounds or Bounds()
    quieten("uvicorn.error")  # clients cause its warnings
    return uvicorn.Config(
        app,
        loop="none",
        http=bounded_protocol(bounds),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `middleware/client_address.py` reads them
        limit_concurrency=settings.web.stream_clients + MORE_CONNECTIONS,
        timeout_keep_alive=int(bounds.idle_s),
        timeout_graceful_shutdown=int(FINISH_S),
    )


def _raise_file_limit() -> None:
    """Allow as many open connections as the system permits."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
