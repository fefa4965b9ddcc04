"""A relay before a PostgreSQL server, which can be cut and muted: the server is lost for one client only."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

_SOCKET = ".s.PGSQL.5432"


class Relay:
    """Passes bytes on between clients of its socket and the server."""

    def __init__(self, dsn: str, folder: Path) -> None:
        parts = urlsplit(dsn)
        [server] = parse_qs(parts.query)["host"]
        self.dsn = parts._replace(query=f"host={quote(str(folder))}&port=5432").geturl()
        self._server_socket = str(Path(server) / _SOCKET)
        self._own_socket = str(folder / _SOCKET)
        self._passes = asyncio.Event()
        self._passes.set()
        self._is_cut = False
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Break every connection, and every new one."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._is_cut = False
        self._passes.set()

    def mute(self) -> None:
        """Take connections, and pass nothing on."""
        self._passes.clear()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Relay"]:
        server = await asyncio.start_unix_server(self._serve, self._own_socket)
        try:
            yield self
        finally:
            self.mend()
            self.cut()
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        answers, requests = await asyncio.open_unix_connection(self._server_socket)
        self._writers |= {writer, requests}
        try:
            await asyncio.gather(self._pass_on(reader, requests), self._pass_on(answers, writer))
        finally:
            self._writers -= {writer, requests}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._passes.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def relay_to(dsn: str) -> AsyncIterator[Relay]:
    with tempfile.TemporaryDirectory(prefix="outrider-relay-") as folder:
        async with Relay(dsn, Path(folder)).running() as relay:
            yield relay
