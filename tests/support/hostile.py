"""A server that says exactly what a test tells it to, byte by byte, and remembers who asked.

    async with Hostile() as server:
        url = server.says("/short", b"HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n", b"four")

After its last step a script hangs up in good order, unless the step is one of `Step`.
"""

import asyncio
import socket
import ssl
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Self


class Step(Enum):
    """What a script can do besides sending bytes."""

    HANG = auto()  # say no more, wait until the client leaves
    RESET = auto()  # break the connection
    KEEP = auto()  # keep the connection for another request


@dataclass(frozen=True, slots=True)
class Drip:
    """The same bytes again and again, until the client leaves."""

    data: bytes
    every_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived."""

    target: str
    headers: dict[str, str]
    connection: int
    method: str = "GET"
    body: bytes = b""


Script = tuple[bytes | Drip | Step, ...]


def head(status: str = "200 OK", **headers: object) -> bytes:
    """A response head; `content_length=5` becomes `content-length: 5`."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("latin-1")


def page(body: bytes, status: str = "200 OK", **headers: object) -> bytes:
    """A whole, honest answer."""
    return head(status, content_length=len(body), **headers) + body


class Hostile:
    """A listening socket on loopback with scripts by request target."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._scripts: dict[str, list[Script]] = {}
        self._connections = 0
        self._busy: set[asyncio.Task[None]] = set()
        self._left = asyncio.Event()
        self._asked = asyncio.Event()
        self.seen: list[Seen] = []
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._welcome, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)

    @property
    def connections(self) -> int:
        """How many were ever accepted."""
        return self._connections

    async def until_open(self, count: int) -> None:
        """Wait until at most `count` connections are open. Scripts that hang end when the client leaves."""
        while len(self._busy) > count:
            self._left.clear()
            await self._left.wait()

    async def until_asked(self) -> None:
        """Wait for a first request."""
        await self._asked.wait()

    def url(self, target: str, host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{target}"

    def says(self, target: str, *script: bytes | Drip | Step, host: str = "127.0.0.1") -> str:
        """Answer the next request for `target` so; the last script given stays for all later ones."""
        self._scripts.setdefault(target, []).append(script)
        return self.url(target, host)

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        self._connections += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._serve(reader, writer, self._connections)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            self._busy.discard(task)
            self._left.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        while True:
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, *lines = request.rstrip().split("\r\n")
            method, target, _ = line.split(" ")
            headers = {name.lower(): value for name, _, value in (item.partition(": ") for item in lines)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.seen.append(Seen(target, headers, number, method, body))
            self._asked.set()
            scripts = self._scripts[target]
            script = scripts.pop(0) if len(scripts) > 1 else scripts[0]
            if not await _perform(script, reader, writer):
                return


async def _perform(
    script: Iterable[bytes | Drip | Step], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """True when the connection stays open for another request."""
    for step in script:
        match step:
            case bytes():
                writer.write(step)
                await writer.drain()
            case Drip():
                while True:
                    writer.write(step.data)
                    await writer.drain()
                    await asyncio.sleep(step.every_s)
            case Step.HANG:
                await reader.read()
            case Step.RESET:
                raw: socket.socket = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return False
            case Step.KEEP:
                return True
    return False
