"""One request in progress, and its outcome."""

import asyncio
import time

from outrider.clock import Clock
from outrider.fetch.answer import ResponseReader, Sink, StopReading
from outrider.fetch.body import DISCARD_BYTES, Body, Discard, ErrorBody
from outrider.fetch.content import is_html
from outrider.fetch.encodings import BadBody, decoders_for
from outrider.fetch.hops import REDIRECT_STATUSES
from outrider.fetch.location import destination
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import (
    Exchange,
    Failed,
    Failure,
    Fetched,
    NotModified,
    Outcome,
    Redirected,
    Rejected,
    Request,
)
from outrider.fetch.retry_after import retry_after
from outrider.fetch.spool import Spool

_WITHOUT_BODY = frozenset({204, 304})


class Attempt:
    """Chooses the sink of the body after the head, and makes the outcome at the end."""

    def __init__(
        self, request: Request, options: FetchOptions, loop: asyncio.AbstractEventLoop, deadline: float
    ) -> None:
        self._request = request
        self._options = options
        self._started = time.perf_counter()
        self._body: Body | None = None
        self._spool: Spool | None = None
        self.answer = ResponseReader(options, self._choose, loop, deadline)

    def outcome(self, clock: Clock) -> Outcome:
        """The outcome of a response that has arrived."""
        answer, headers = self.answer, self.answer.headers
        exchange = Exchange(
            self._request.url, answer.status, headers, self._elapsed_ms, answer.wire_bytes, answer.address
        )
        if 200 <= answer.status < 300:
            return Fetched(
                exchange,
                self._body.data if self._body else b"",
                content_type=headers.get("content-type"),
                etag=headers.get("etag"),
                last_modified=headers.get("last-modified"),
                file=self._spool,
            )
        if answer.status == 304:
            return NotModified(exchange)
        if answer.status in REDIRECT_STATUSES:
            location = headers.get("location", "")
            target, follow, why = destination(location, self._request.url)
            return Redirected(exchange, location, target, why, follow)
        ceiling_s = self._options.retry_after_ceiling_s
        body = self._body.data if self._body else b""
        return Rejected(exchange, retry_after(headers.get("retry-after"), clock.now(), ceiling_s), body)

    def failed(self, failure: Failure, message: str) -> Failed:
        """The outcome of a request without a usable response."""
        answer = self.answer
        return Failed(
            self._request.url, failure, message, self._elapsed_ms, answer.status or None, answer.address
        )

    @property
    def _elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._started) * 1000)

    def _choose(self, answer: ResponseReader) -> Sink:
        request, headers = self._request, answer.headers
        promised = answer.promised_bytes or 0
        if request.is_head:
            return _after_head(answer)
        if answer.status >= 400 and request.error_bytes:
            return self._error_body(request.error_bytes, headers.get("content-encoding"))
        if not 200 <= answer.status < 300 or (request.only_html and not is_html(headers.get("content-type"))):
            if promised > DISCARD_BYTES:
                raise StopReading
            return Discard()
        limit = request.max_bytes or self._options.max_body_bytes
        if promised > limit and not request.truncate:
            raise BadBody(Failure.TOO_LARGE, f"the server announces {promised} bytes, the limit is {limit}")
        decoders = decoders_for(headers.get("content-encoding"))
        self._spool = Spool() if request.spool else None
        self._body = Body(decoders, limit, truncate=request.truncate, spool=self._spool)
        return self._body

    def _error_body(self, limit: int, encoding: str | None) -> Sink:
        """The sink of an error body. The outcome is known without it, so an unreadable one is left."""
        try:
            self._body = ErrorBody(decoders_for(encoding), limit, truncate=True)
        except BadBody:
            return Discard()
        return self._body


def _after_head(answer: ResponseReader) -> Sink:
    """The sink after the head of a HEAD request: no body is expected, whatever Content-Length says.

    Some servers send a body nevertheless. On a reused connection it would be read as the response to the
    next request, so only a response without a body leaves its connection reusable.
    """
    if answer.status not in _WITHOUT_BODY and answer.promised_bytes != 0:
        raise StopReading
    return Discard()
