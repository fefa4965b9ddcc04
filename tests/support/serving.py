"""`outrider serve` as a process of its own, on a free port of loopback."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

_SETTINGS = {"OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8", "OUTRIDER_DELAY": "0", "OUTRIDER_LOG_FORMAT": "json"}
PATIENCE_S = 60.0  # on a machine that others use, too


class Serving:
    """A running server."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, started: dict[str, Any]) -> None:
        self.process = process
        self.started = started
        self.address: str = (started["address"] or "").rstrip("/")
        self._folder = folder
        self._client = httpx.AsyncClient(
            base_url=self.address or "http://none.test",
            timeout=30,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self._client.get(path, **more)

    async def status(self, path: str) -> int | None:
        """The status of an answer; None without one."""
        try:
            return (await self.get(path)).status_code
        except httpx.HTTPError:
            return None

    async def until(self, path: str, status: int) -> None:
        """Wait until a path answers with a status."""
        await self.wait_for(lambda: self.status(path), lambda found: found == status)

    async def wait_for(self, ask: Any, is_right: Any) -> Any:
        """Ask until the answer is right; fails when the server has ended or it takes too long."""
        give_up_at = time.monotonic() + PATIENCE_S
        while True:
            found = await ask()
            if is_right(found):
                return found
            assert self.process.poll() is None, self.log()
            assert time.monotonic() < give_up_at, f"still {found!r}\n{self.log()}"
            await asyncio.sleep(0.05)

    def log(self) -> str:
        return (self._folder / "serve.err").read_text()[-6000:]

    def events(self) -> list[dict[str, Any]]:
        """The lines of the log that are complete."""
        lines = (self._folder / "serve.err").read_text().splitlines(keepends=True)
        found = []
        for line in lines:
            with suppress(ValueError):
                found.append(json.loads(line))
        return found

    def pids(self, kind: str) -> list[int]:
        """The processes of a kind that were started, in their order."""
        return [
            each["pid"]
            for each in self.events()
            if each.get("service") == "serve" and each["event"] == f"{kind} started"
        ]

    async def until_started(self, kind: str, count: int) -> list[int]:
        async def started() -> list[int]:
            return self.pids(kind)

        found: list[int] = await self.wait_for(started, lambda pids: len(pids) >= count)
        return found

    async def stop(self, timeout_s: float = 40.0) -> int:
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended(timeout_s)

    async def ended(self, timeout_s: float = 40.0) -> int:
        return await asyncio.to_thread(self.process.wait, timeout_s)

    async def close(self) -> None:
        await self._client.aclose()


@asynccontextmanager
async def serving(
    folder: Path,
    *arguments: str,
    settings: Mapping[str, str] | None = None,
    data: Path | None = None,
    is_ready: bool = True,
) -> AsyncIterator[Serving]:
    """A server that writes its log to `folder`; it waits until it is ready, and ends it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    # Written to a file: a full pipe would stop the server.
    with (folder / "serve.err").open("wb") as errors:
        process = subprocess.Popen(  # noqa: ASYNC220 (it starts at once)
            [
                *(sys.executable, "-m", "outrider", "serve", "--json"),
                *("--port", "0", "--data", str(data or folder / "data"), "--workers", "1"),
                *arguments,
            ],
            env=inherited | _SETTINGS | dict(settings or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        assert process.stdout is not None
        line = await asyncio.to_thread(process.stdout.readline)
        assert line, (folder / "serve.err").read_text()
        server = Serving(process, folder, json.loads(line))
        try:
            if is_ready and server.address:
                await server.until("/health/ready", 200)
            yield server
        finally:
            await server.close()
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                await asyncio.to_thread(process.wait, 40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        process.stdout.close()
