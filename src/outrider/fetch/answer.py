"""One answer, read as its bytes come.

httptools knows the grammar. What it leaves open is closed here: how long a head may be, what may stand around
a body, when a body without a length is complete, and whether the connection is good for another request.
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

# What may arrive besides the body of a chunked answer: as much as the body, and this.
_FRAMING_BYTES = 512 * 1024
_PATIENCE_S = 0.5
_MARGIN_S = 0.05  # the answer is known: its deadline must not strike while we wait for what we do not need


class Enough(Exception):
    """The rest of the answer is not wanted: hang up."""


class Sink(Protocol):
    """Where a body goes. Its methods may raise Problem or Enough."""

    is_wanted: bool  # otherwise the answer is known without its body, which has a moment to arrive

    def write(self, data: bytes) -> None: ...

    def finish(self) -> None: ...


class ResponseReader:
    """What one request brings. Once the head is here, `choose` gives the body a sink, or raises like one."""

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
        # What browsers put up with too. A length beside chunks counts for nothing.
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
        self.address: str | None = None  # of the other end of the connection
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.promised_bytes: int | None = None
        self.wire_bytes = 0
        self.leaves_connection_good = False

    async def arrive(self) -> None:
        """Wait until the answer is known; raises Problem, TimeoutError, or whatever broke in a sink."""
        try:
            await self._done
        finally:
            # Both lead back here, and in a circle the body would wait for the garbage collector.
            del self._parser, self._choose
        if self._problem is not None:
            raise self._problem

    def feed(self, data: bytes) -> None:
        """More bytes have come."""
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
        """No more bytes will come. Without an error the server has closed in good order."""
        if self._is_over:
            return
        if self._sink is None:
            self._break(Problem(Failure.RESET, "the server closed the connection before it had answered"))
        elif self._framing is not Framing.CONNECTION:
            self._break(Problem(Failure.SHORT_BODY, "the connection ended before the body"))
        elif error is not None:
            # Only an orderly close says that such a body is complete.
            self._break(Problem(Failure.RESET, "the connection broke before the end of the body"))
        else:
            try:
                self.on_message_complete()
            except Exception as problem:
                self._break(problem)

    def run_out_of_time(self) -> None:
        """The deadline is here; whoever carries the answer says so."""
        self._break(TimeoutError())

    def on_message_begin(self) -> None:
        if self._is_over:
            raise Enough  # a second answer to one request

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
            # Who else reads this differently?
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
        if self._sink is not None:  # otherwise it was an interim answer
            self._sink.finish()
            self.leaves_connection_good = self._keeps_alive
            self._end()

    def _check_cost(self) -> None:
        """Heads, chunks and trailers can come for ever and at full speed: the deadline alone is too late."""
        if self._sink is None:
            if self._received > self._options.head_bytes:
                self._break(HeadTooLarge(f"{self._options.head_bytes} bytes"))
        elif len(self._lines) > self._options.head_lines:
            self._break(HeadTooLarge(f"{self._options.head_lines} lines after the body"))
        elif self._received > 2 * self.wire_bytes + _FRAMING_BYTES:
            self._break(Problem(Failure.PROTOCOL, "more chunk headers than content"))
        elif not self._sink.is_wanted and self._patience is None:
            until = min(self.loop.time() + _PATIENCE_S, self.deadline - _MARGIN_S)
            self._patience = self.loop.call_at(until, self._break, Enough())

    def _break(self, reason: Exception) -> None:
        """It is over, and the connection with it. What is known without a body stays known."""
        self.leaves_connection_good = False
        is_known = self._is_over or (self._sink is not None and not self._sink.is_wanted)
        if not is_known and not isinstance(reason, Enough):
            self._problem = reason
        self._end()

    def _end(self) -> None:
        self._is_over = True
        if self._patience is not None:
            self._patience.cancel()
        if not self._done.done():
            self._done.set_result(None)
