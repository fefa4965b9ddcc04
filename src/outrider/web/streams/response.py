"""The response of a stream. It waits for its client without holding up any other."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from outrider.errors import OutriderError
from outrider.logs import get_logger
from outrider.web.errors import error_response
from outrider.web.identity import credentials_of
from outrider.web.streams.client import StreamClient
from outrider.web.streams.frame import closing

log = get_logger()

MEDIA_TYPE = "text/event-stream"
SEND_TIMEOUT_S = 30.0  # a client that takes nothing for so long is disconnected
END_TIMEOUT_S = 1.0
RETRY_AFTER_S = 5
HEADERS = {
    "Cache-Control": "no-store, no-transform",  # no-transform: no proxy may compress it, which would buffer
    "X-Accel-Buffering": "no",
}

Chunks = Callable[[StreamClient], AsyncGenerator[bytes, None]]


class Broker(Protocol):
    """Counts the clients of the process."""

    def add(self, client: StreamClient) -> bool:
        """Admit a client; False at the limit, and while the server stops."""

    def remove(self, client: StreamClient) -> None: ...


class EventStream(Response):
    """Sends the chunks that `chunks` makes for a client, until either side ends."""

    media_type = MEDIA_TYPE

    def __init__(self, broker: Broker, client: StreamClient, chunks: Chunks) -> None:
        super().__init__(status_code=200, headers=HEADERS, media_type=f"{MEDIA_TYPE}; charset=utf-8")
        del self.headers["content-length"]
        self._broker = broker
        self._client = client
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._client.credentials = replace(credentials_of(Request(scope)), is_in_use=True)
        if not self._broker.add(self._client):
            sentence = "too many streams are open here: try again in a few seconds"
            full = error_response(503, sentence, headers={"Retry-After": str(RETRY_AFTER_S)})
            await full(scope, receive, send)
            return
        try:
            await self._run(receive, send)
        finally:
            self._broker.remove(self._client)

    async def _run(self, receive: Receive, send: Send) -> None:
        self._client.dropped = asyncio.get_running_loop().create_future()
        sending = asyncio.create_task(self._send_all(send))
        gone = asyncio.create_task(_until_disconnected(receive))
        try:
            await asyncio.wait({sending, gone, self._client.dropped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            results = await asyncio.gather(sending, gone, return_exceptions=True)
        if isinstance(results[0], Exception):
            raise results[0]
        if self._client.is_dropped:
            log.warning("slow client of a stream disconnected")
            await _finish(send)

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async with aclosing(self._chunks(self._client)) as chunks:
                async for chunk in chunks:
                    if chunk:
                        await self._send(send, chunk)
            if self._client.is_closing:
                await self._send(send, closing(self._client.closing_reason))
        except TimeoutError:
            self._client.is_dropped = True
            return
        except OutriderError as error:
            log.warning("stream ended", error=str(error))  # the client connects again
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, chunk: bytes) -> None:
        async with asyncio.timeout(SEND_TIMEOUT_S):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        self._client.sent_at = asyncio.get_running_loop().time()


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _finish(send: Send) -> None:
    """Complete the response if the client still takes something; else the server closes the connection."""
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(END_TIMEOUT_S):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
