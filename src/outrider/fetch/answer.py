"""Reads one HTTP response as its bytes arrive.

httptools parses the syntax. This module adds what httptools does not check: the size of the head, the bytes
around a body, the end of a body without a length, and whether the connection can be used again.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from httptools import HttpParserCallbackError, HttpParserError, HttpParserUpgrade, HttpResponseParser

from outrider.fetch.failures import Problem
from outrider.fetch.head import Framing, HeadTooLarge, bound_head, framing_of
from outrider.fetch.headers import response_headers
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure

# A chunked response may have as many bytes of framing as of content, plus this many.
_FRAMING_BYTES = 512 * 1024
_PATIENCE_S = 0.5
_MARGIN_S = 0.05  # waiting for an unneeded body ends this long before the deadline


class StopReading(Exception):
    """The rest of the response is not needed: close the connection."""


class Sink(Protocol):
    """Receives a body. Its methods may raise Problem or Enough."""

    is_wanted: bool  # False: the outcome does not depend on the body, which gets a short time to arrive

    def write(self, data: bytes) -> None: ...

    def finish(self) -> None: ...


class ResponseReader:
    """The response to one request. After the head, `choose` returns the sink of the body, or raises."""

    def __init__(
        self,
        options: FetchOptions,
        choose: Callable[["ResponseReader"], Sink],
        loop: asyncio.AbstractEventLoop,
        deadline: float = float("inf"),
    ) -> None:
        self._options = options
        self._choose = choose
        self._done: asyncio.Future[None] = loop.create_future()
        self._parser = HttpResponseParser(self)
        # Browsers accept these as well. Content-Length beside chunked encoding is ignored.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )
        self._lines: list[tuple[bytes, bytes]] = []
        self._received = 0
        self._framing = Framing.NO_BODY
        self._sink: Sink | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._problem: Exception | None = None
        self._is_over = False
        self._keeps_alive = False
        self.loop = loop
        self.deadline = deadline
        self.address: str | None = None  # the address of the peer
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.promised_bytes: int | None = None
        self.wire_bytes = 0
        self.leaves_connection_good = False

    async def arrive(self) -> None:
        """Wait until the response is known; raises Problem, TimeoutError, or the error of a sink."""
        try:
            await self._done
        finally:
            # Both refer to this object: in a reference cycle the body would wait for the garbage collector.
            del self._parser, self._choose
        if self._problem is not None:
            raise self._problem

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserCallbackError as error:
            cause = error.__context__
            self._break(cause if isinstance(cause, Exception) else error)
        except (HttpParserError, HttpParserUpgrade) as error:
            self._break(Problem(Failure.PROTOCOL, str(error)))
        else:
            if not self._is_over:
                self._check_cost()

    def lose_connection(self, error: Exception | None) -> None:
        """The connection is closed. Without an error the server closed it properly."""
        if self._is_over:
            return
        if self._sink is None:
            self._break(Problem(Failure.RESET, "the server closed the connection before it answered"))
        elif self._framing is not Framing.CONNECTION:
            self._break(Problem(Failure.SHORT_BODY, "the connection ended before the body"))
        elif error is not None:
            # Such a body is complete only if the server closed the connection properly.
            self._break(Problem(Failure.RESET, "the connection broke before the end of the body"))
        else:
            try:
                self.on_message_complete()
            except Exception as problem:
                self._break(problem)

    def run_out_of_time(self) -> None:
        """End the response at its deadline; called by the connection."""
        self._break(TimeoutError())

    def on_message_begin(self) -> None:
        if self._is_over:
            raise StopReading  # a second answer to one request

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines.append((name, value))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        lines, self._lines = self._lines, []  # trailers may follow
        if 100 <= status < 200 and status != 101:
            return
        self.status = status
        if status < 100:
            raise Problem(Failure.PROTOCOL, f"absurd status {status}")
        bound_head(lines, self._options)
        self.headers = response_headers(lines)
        self._framing = framing_of(status, self.headers)
        self._keeps_alive = self._parser.should_keep_alive() and not (
            # Proxies may disagree on the end of such a body.
            self._framing is Framing.CHUNKED and "content-length" in self.headers
        )
        if self._framing is Framing.LENGTH:
            self.promised_bytes = int(self.headers["content-length"])
        self._sink = self._choose(self)

    def on_body(self, data: bytes) -> None:
        assert self._sink is not None
        self.wire_bytes += len(data)
        self._sink.write(data)

    def on_message_complete(self) -> None:
        if self._sink is not None:  # otherwise it was an interim response
            self._sink.finish()
            self.leaves_connection_good = self._keeps_alive
            self._end()

    def _check_cost(self) -> None:
        """Bound heads, chunks and trailers: a fast endless stream costs too much before the deadline."""
        if self._sink is None:
            if self._received > self._options.head_bytes:
                self._break(HeadTooLarge(f"{self._options.head_bytes} bytes"))
        elif len(self._lines) > self._options.head_lines:
            self._break(HeadTooLarge(f"{self._options.head_lines} lines after the body"))
        elif self._received > 2 * self.wire_bytes + _FRAMING_BYTES:
            self._break(Problem(Failure.PROTOCOL, "more chunk headers than content"))
        elif not self._sink.is_wanted and self._patience is None:
            until = min(self.loop.time() + _PATIENCE_S, self.deadline - _MARGIN_S)
            self._patience = self.loop.call_at(until, self._break, StopReading())

    def _break(self, reason: Exception) -> None:
        """End the response and its connection. An outcome that is known without the body stays."""
        self.leaves_connection_good = False
        is_known = self._is_over or (self._sink is not None and not self._sink.is_wanted)
        if not is_known and not isinstance(reason, StopReading):
            self._problem = reason
        self._end()

    def _end(self) -> None:
        self._is_over = True
        if self._patience is not None:
            self._patience.cancel()
        if not self._done.done():
            self._done.set_result(None)
