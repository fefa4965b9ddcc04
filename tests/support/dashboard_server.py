"""The dashboard as it runs for real, on a database that the demo fills: a process of its own, to be killed.

`python -m tests.support.dashboard_server DSN DATA [PORT] [--filled]` prints its port when it listens. Users:
demo (administrator) and guest (may look), each with the password that `PASSWORDS` names.
"""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from outrider import logs
from outrider.cli.demo.command import NEWSROOM
from outrider.db.pool import open_pool
from outrider.log_options import LogLevel
from outrider.services.demo.newsroom import ADMIN, READER, DemoPasswords, finish_newsroom, simulate_newsroom
from outrider.settings import load
from outrider.web.assemble import server_app, server_context
from outrider.web.lifecycle import start
from outrider.web.process import ApiServer, server_config

ROOT = Path(__file__).parents[2]
PASSWORDS = DemoPasswords("password of the demo", "password of the guest")
CREDENTIALS = {"admin": (ADMIN, PASSWORDS.admin), "user": (READER, PASSWORDS.reader)}
COURIER = "http://127.0.0.1:9/"  # a port on which nothing listens: no worker runs


@dataclass(slots=True)
class Dashboard:
    """A running server. `stop` and `start` interrupt its streams; the address stays."""

    dsn: str
    data: Path
    address: str = ""
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "tests.support.dashboard_server", self.dsn, str(self.data), port]
        self.process = subprocess.Popen(
            [*command, *(["--filled"] if self.address else [])], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server of the dashboard ended before it listened"
        self.address = f"http://127.0.0.1:{int(line)}"

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@contextmanager
def dashboard_on(dsn: str, data: Path) -> Iterator[Dashboard]:
    """The dashboard on an empty database, which is filled first."""
    dashboard = Dashboard(dsn, data)
    try:
        dashboard.start()
        yield dashboard
    finally:
        dashboard.stop()


def _main(dsn: str, data: str, port: str = "0", filled: str = "") -> None:
    loaded = load({**NEWSROOM, "data": Path(data)}, config=None, environ={})
    logs.set_up(replace(loaded.settings.logs, level=LogLevel.ERROR), service="tests")
    if not filled:
        simulate_newsroom(dsn, loaded.settings)
    asyncio.run(_serve(loaded, dsn, int(port), is_filled=bool(filled)))


async def _serve(loaded, dsn, port, *, is_filled):  # type: ignore[no-untyped-def]
    pool = await open_pool(dsn, size=8, application_name="tests dashboard")
    if not is_filled:
        async with pool.acquire() as db:
            await finish_newsroom(db, loaded.settings, PASSWORDS, COURIER)
    context = server_context(loaded, pool, dsn=dsn)
    listener = socket.create_server(("127.0.0.1", port), backlog=2048)
    listener.setblocking(False)
    await start(context)
    print(listener.getsockname()[1], flush=True)
    await ApiServer(server_config(server_app(context), loaded.settings)).serve_process([listener])


if __name__ == "__main__":
    _main(*sys.argv[1:])
