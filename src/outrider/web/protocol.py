"""HTTP/1.1 with bounds: slow and oversized requests are ended, and hold nothing (APG-05).

uvicorn bounds the idle time between two requests. This protocol adds the time to read a request, the time a
client may leave an answer unread, and the size of the head of a request.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

_SENTENCES = {
    400: ("bad_request", "this is not a valid HTTP request"),
    408: ("too_slow", "the request took too long to arrive"),
    431: ("head_too_large", "the address and the headers of the request are too large"),
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a connection."""

    read_s: float = 30.0  # for one whole request, and until the first one begins
    write_s: float = 60.0  # while the client takes nothing of an answer
    idle_s: float = 120.0  # between two requests
    head_bytes: int = 64 << 10
    headers: int = 200


def bounded_protocol(bounds: Bounds) -> type[asyncio.Protocol]:
    """The protocol class with these bounds, for uvicorn's `http=`."""
    return type("BoundedHttp", (BoundedHttpProtocol,), {"bounds": bounds})


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection of a client."""

    bounds = Bounds()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._is_in_head = False
        self._status = 400

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_reading()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._is_in_head and not self.transport.is_closing():
            # A header without an end is reported only when it ends, so the bytes are counted here.
            self._head_bytes += len(data)
            if self._head_bytes > self.bounds.head_bytes:
                self._status = 431
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        self._is_in_head = True
        self._begin_reading()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > self.bounds.headers:
            self._status = 431
            raise ValueError("too many headers")  # the parser stops; `send_400_response` answers

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.bounds.head_bytes:
            self._status = 431
            raise ValueError("the head is too large")
        self._is_in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._end_reading()
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._writing is None:
            self._writing = self.loop.call_later(self.bounds.write_s, self.transport.abort)

    def resume_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer a request that no handler will see, and close the connection."""
        code, sentence = _SENTENCES[self._status]
        body = json.dumps({"error": sentence, "code": code}).encode()
        head = [
            STATUS_LINE[self._status],
            b"content-type: application/json\r\n",
            b"content-length: %d\r\n" % len(body),
            b"connection: close\r\n\r\n",
        ]
        self.transport.write(b"".join([*head, body]))
        self.transport.close()

    def _begin_reading(self) -> None:
        if self._reading is None:
            self._reading = self.loop.call_later(self.bounds.read_s, self._too_slow)

    def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _too_slow(self) -> None:
        self._reading = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # the server does not read, so the client is not slow
            self._begin_reading()
        elif self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.close()  # the answer has begun, so no other one can be given
        else:
            if self.cycle is not None:
                self.cycle.disconnected = True  # the handler that waits for the rest of the body says nothing
            self._status = 408
            self.send_400_response("")
