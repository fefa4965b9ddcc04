"""The API as `outrider serve` runs it, in a process of its own on loopback, with some data and two users.

`python -m tests.support.api_server DSN DATA [NAME=VALUE …]` prints its port when it listens. Rate limits are
off unless a setting asks for them: a test sends more in a minute than a person.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import asyncpg
import uvloop
from tests.support.api import PASSWORDS, SECRETS
from tests.support.crawled import make_crawl
from tests.support.make import Operator
from tests.support.scheduling import complete_run, start_runs, watch

from outrider.auth.api_tokens import create_token
from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.users import find_user
from outrider.db.pool import open_pool
from outrider.log_options import LogLevel, LogOptions
from outrider.logs import set_up
from outrider.services.users.users import add_user
from outrider.settings import load
from outrider.urls import key_of
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink
from outrider.web.assemble import server_app
from outrider.web.context import ServerContext
from outrider.web.identity import Identity
from outrider.web.listen import listen
from outrider.web.process import ApiServer, server_config
from outrider.web.request_metrics import RequestMetrics

ROOT = Path(__file__).parents[2]
_FAR = 1_000_000_000  # numbers of users and tokens that no generated request hits by chance


@dataclass(frozen=True, slots=True)
class Keys:
    """API tokens of the two users."""

    admin: str
    user: str


async def fill(dsn: str) -> Keys:
    """Sources, jobs, runs, pages, discovered links and two users: ada (admin) and uma (user)."""
    operator = await Operator.enter(dsn)
    try:
        await make_crawl(operator)
        for name in ("blatt", "kurier", "post"):
            await watch(operator, name, labels="press")
        jobs = await operator.run(lambda db: db.fetch("SELECT job_id, source_id FROM job ORDER BY job_id"))
        await complete_run(operator, jobs[0]["job_id"])
        await start_runs(operator, jobs[1]["job_id"])
        link = "https://elsewhere.test/a"
        found = [OutsideLink(key_of(link), link, 1)]
        source = jobs[0]["source_id"]
        await operator.run(lambda db: DiscoveredStore().record(db, source, "https://blatt.test/", 1, found))
        return await operator.run(_users)
    finally:
        await operator.connection.close()


async def _users(db: asyncpg.Connection) -> Keys:
    for table, column in (("app_user", "user_id"), ("api_token", "token_id")):
        sequence = await db.fetchval("SELECT pg_get_serial_sequence($1, $2)", table, column)
        await db.execute(f"ALTER SEQUENCE {sequence} RESTART WITH {_FAR}")
    keys = []
    for name, role in (("ada", Role.ADMIN), ("uma", Role.USER)):
        await add_user(db, shell_actor("tests"), name, f"password of {name}", role, PASSWORDS)
        keys.append((await create_token(db, await find_user(db, name), "of the tests"))[1])
    return Keys(*keys)


@contextmanager
def server_process(dsn: str, data: Path, **settings: Any) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """The process and its address; it is killed in the end."""
    given = [f"{name}={value}" for name, value in settings.items()]
    command = [sys.executable, "-m", "tests.support.api_server", dsn, str(data), *given]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


async def _main(dsn: str, data: str, *given: str) -> None:
    settings = dict(each.split("=", 1) for each in given)
    loaded = load({"data": Path(data), **settings}, config=None)
    pool = await open_pool(dsn, size=8, application_name="tests server")
    identity = Identity(loaded.settings, SECRETS)
    identity.tools = replace(identity.tools, passwords=PASSWORDS)
    context = ServerContext(loaded, pool, identity.identify, parts={"identity": identity, "dsn": dsn})
    if any(name.startswith("rate_limit") for name in settings):
        context = replace(context, check_rate=identity.check_rate)
    context.parts["request_metrics"] = metrics = RequestMetrics()
    context.parts["metric_registries"] = [metrics.registry, identity.metrics.registry]
    server = ApiServer(server_config(server_app(context), loaded.settings))
    sockets = listen("127.0.0.1", 0)
    print(sockets[0].getsockname()[1], flush=True)
    _log_to(Path(data) / "server.log")
    await server.serve_process(sockets)


def _log_to(file: Path) -> None:
    """The log of the server; a pipe that is not read would stop it."""
    with file.open("ab") as opened:
        os.dup2(opened.fileno(), sys.stdout.fileno())
        os.dup2(opened.fileno(), sys.stderr.fileno())
    set_up(LogOptions(level=LogLevel.WARNING), service="api")


if __name__ == "__main__":
    uvloop.run(_main(*sys.argv[1:]))
