"""A server process for `api.py`: the real application, with the time of each request in a header."""

import asyncio
import logging
import socket
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog
import uvloop
from benchmarks.stream_server import allow_many_files

from outrider.db.pool import open_pool
from outrider.settings import load
from outrider.web.assemble import server_app, server_context
from outrider.web.process import ApiServer, server_config

TOOK = "x-server-ms"

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Any, Send], Awaitable[None]]


def timed(app: App) -> App:
    """Add the milliseconds from the first byte of a request to the first of its answer."""

    async def call(scope: Message, receive: Any, send: Send) -> None:
        started = time.perf_counter()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                took_ms = (time.perf_counter() - started) * 1000
                message["headers"] = [*message["headers"], (TOOK.encode(), f"{took_ms:.3f}".encode())]
            await send(message)

        await app(scope, receive, answer)

    return call


async def _main(dsn: str, data: str) -> None:
    # Nobody reads the log, and a full pipe would stop the server.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    pool = await open_pool(dsn, size=8, application_name="bench api")
    secrets = {"jwt_secret": "j" * 32, "session_secret": "s" * 32}
    loaded = load({"data": data, "rate_limit_admin": 6000, **secrets}, config=None)
    context = server_context(loaded, pool)
    opened = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(opened.getsockname()[1], flush=True)
    await ApiServer(server_config(timed(server_app(context)), loaded.settings)).serve_process([opened])


if __name__ == "__main__":
    allow_many_files()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_main(sys.argv[1], sys.argv[2]))
