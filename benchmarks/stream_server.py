"""A server process of the API for `streams.py`. All callers are users."""

import asyncio
import resource
import socket
import sys

import asyncpg
import uvicorn
import uvloop
from starlette.requests import HTTPConnection

from outrider.auth.model import Principal, ProvenBy, Role
from outrider.db.pool import open_pool
from outrider.settings import load
from outrider.web.api.v1.routers import ROUTERS
from outrider.web.context import ServerContext
from outrider.web.server import build_app

_USER = Principal(Role.USER, ProvenBy.SESSION, user_id=1, name="bench")


async def _identify(_: HTTPConnection, __: asyncpg.Connection) -> Principal:
    return _USER


async def _main(dsn: str, clients: int) -> None:
    pool = await open_pool(dsn, size=8, application_name="bench streams")
    context = ServerContext(load({"stream_clients": clients}, config=None), pool, identify=_identify)
    opened = socket.create_server(("127.0.0.1", 0), backlog=2048)
    config = uvicorn.Config(
        build_app(context, ROUTERS), log_level="critical", lifespan="off", access_log=False
    )
    print(opened.getsockname()[1], flush=True)
    await uvicorn.Server(config).serve(sockets=[opened])


def allow_many_files() -> None:
    """A stream is an open file on both sides."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    allow_many_files()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_main(sys.argv[1], int(sys.argv[2])))
