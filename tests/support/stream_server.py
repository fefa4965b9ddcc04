"""A server process of the API on one database, to be killed.

`python -m tests.support.stream_server DSN DATA [CLIENTS]` prints its port when it listens.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvloop
from tests.support.streams import context_on, listening_socket, server_of

from outrider.db.pool import open_pool

ROOT = Path(__file__).parents[2]


@contextmanager
def server_process(
    dsn: str, data: Path, clients: int = 1000
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The process and its address; it is killed in the end."""
    command = [sys.executable, "-m", "tests.support.stream_server", dsn, str(data), str(clients)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def _main(dsn: str, data: str, clients: str) -> None:
    pool = await open_pool(dsn, size=8, application_name="tests server")
    context = context_on(pool, data=Path(data), stream_clients=int(clients))
    opened = listening_socket()
    print(opened.getsockname()[1], flush=True)
    await server_of(context).serve(sockets=[opened])


if __name__ == "__main__":
    uvloop.run(_main(*sys.argv[1:]))
