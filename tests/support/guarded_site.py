"""A site with `RedirectMiddleware` in a process of its own, as a web server runs it.

`python -m tests.support.guarded_site SITE OPTIONS` takes the options of the middleware as JSON, and prints
its port when it listens.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from outrider.redirects.asgi import RedirectMiddleware

ROOT = Path(__file__).parents[2]


@contextmanager
def guarded_sites(count: int, site: str, **options: str) -> Iterator[Sequence[str]]:
    """So many processes; yields their addresses when all of them listen and have the table."""
    command = [sys.executable, "-m", "tests.support.guarded_site", site, json.dumps(options)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    try:
        ports = []
        for process in running:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, "the site ended before it listened"
            ports.append(int(line))
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(20)
            assert process.stdout is not None
            process.stdout.close()


class _TellingServer(uvicorn.Server):
    """Says on which port it listens, once the application is ready."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        assert sockets is not None
        print(sockets[0].getsockname()[1], flush=True)


def _main(site: str, options: str) -> None:
    from tests.support.asgi import plain_app

    app = RedirectMiddleware(plain_app, site=site, **json.loads(options))
    config = uvicorn.Config(app, log_config=None, access_log=False)
    _TellingServer(config).run(sockets=[socket.create_server(("127.0.0.1", 0))])


if __name__ == "__main__":
    _main(*sys.argv[1:])
