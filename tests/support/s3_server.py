"""A real S3 server for tests: SeaweedFS on loopback, with a bucket and a key of its own."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

from outrider.errors import Unavailable
from outrider.object_store.options import S3Options
from outrider.object_store.s3_store import S3Store

BUCKET = "outrider-tests"
ACCESS_KEY, SECRET_KEY = "tests", "a secret of tests"

_PATIENCE_S = 60.0
_TRIES = 5
_PORTS = (
    "master.port",
    "master.port.grpc",
    "volume.port",
    "volume.port.grpc",
    "filer.port",
    "filer.port.grpc",
)


class S3Server:
    """A running server."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port = port
        self._process = process

    def options(self, **changed: object) -> S3Options:
        """What a program of ours needs to come here, with a prefix that no other test has."""
        given = {
            "endpoint": f"http://127.0.0.1:{self.port}",
            "access_key": ACCESS_KEY,
            "secret_key": SECRET_KEY,
            "prefix": uuid4().hex,
        }
        return S3Options(**(given | changed))  # type: ignore[arg-type]

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Connections are taken, and nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Start a server; another process may take a free port first, so a start is tried again."""
    folder = Path(tempfile.mkdtemp(prefix="outrider-s3-"))
    access = {
        "name": "tests",
        "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [access]}))
    try:
        for attempt in range(_TRIES):
            server, process = _start(folder, attempt)
            try:
                if _is_ready(server, process):
                    yield server
                    return
            finally:
                process.kill()
                process.wait()
        raise RuntimeError(f"SeaweedFS did not start: {(folder / 'log').read_text()[-2000:]}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path, attempt: int) -> tuple[S3Server, subprocess.Popen[bytes]]:
    data = folder / f"data{attempt}"
    data.mkdir()
    port, grpc, *ports = _free_ports(2 + len(_PORTS))
    settings = {
        "dir": data,
        "ip": "127.0.0.1",
        "ip.bind": "127.0.0.1",
        "master.telemetry": "false",
        "master.volumeSizeLimitMB": 64,
        "volume.max": 50,
        "filer": "true",
        "filer.localSocket": folder / "filer.sock",
        "s3": "true",
        "s3.port": port,
        "s3.port.grpc": grpc,
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "s3.config": folder / "s3.json",
        **dict(zip(_PORTS, ports, strict=True)),
    }
    command = [Path(sys.executable).parent / "weed", "server", *(f"-{n}={v}" for n, v in settings.items())]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    return S3Server(port, process), process


def _is_ready(server: S3Server, process: subprocess.Popen[bytes]) -> bool:
    """Whether an object can be written; the first one makes the bucket."""
    store = S3Store(server.options(), BUCKET, retries=0)
    give_up_at = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < give_up_at:
        try:
            store.put("ready", b"ready")
        except Unavailable:
            time.sleep(0.1)
        else:
            return True
    return False


def _free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
