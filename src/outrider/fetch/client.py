"""One exchange with one server, from name to body."""

import asyncio
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import aiohttp
import structlog
from yarl import URL

from outrider.clock import Clock, SystemClock
from outrider.fetch.body import read_body
from outrider.fetch.content import is_html
from outrider.fetch.egress import Egress
from outrider.fetch.encodings import BadBody, decoders_for
from outrider.fetch.failures import failure_of, message_of
from outrider.fetch.guard import BlockedAddress
from outrider.fetch.headers import as_text, keep_alive_s, request_headers, response_headers
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
    Refusal,
    Refused,
    Rejected,
    Request,
)
from outrider.fetch.retry_after import retry_after
from outrider.fetch.wire import Response

_log = structlog.get_logger(__name__)

# No spaces or control characters, which would end up on the wire, and no credentials.
_REQUESTABLE = re.compile(r"https?://[!\"$-.0->A-\[\]-~]+(?:[/?][!-~]*)?")
_DRAIN_BYTES = 64 * 1024
_DRAIN_S = 0.5
_DRAIN_MARGIN_S = 0.05  # the answer is known: its deadline must not strike while we tidy up


@dataclass(slots=True)
class _Attempt:
    """What is known so far, for the moment something breaks."""

    url: str
    started: float
    status: int | None = None
    address: str | None = None

    @property
    def elapsed_ms(self) -> int:
        return round((time.perf_counter() - self.started) * 1000)

    def exchange(self, headers: Mapping[str, str], wire_bytes: int) -> Exchange:
        assert self.status is not None
        return Exchange(self.url, self.status, headers, self.elapsed_ms, wire_bytes, self.address)

    def failed(self, failure: Failure, message: str) -> Failed:
        return Failed(self.url, failure, message, self.elapsed_ms, self.status, self.address)


class Fetcher:
    """Makes requests, one at a time for each call, over a shared pool of connections."""

    def __init__(self, options: FetchOptions | None = None, clock: Clock | None = None) -> None:
        self._options = options or FetchOptions()
        self._clock = clock or SystemClock()
        self._egress = Egress(self._options)

    async def fetch(self, request: Request) -> Outcome:
        """Make exactly one request and say what came of it. Raises nothing but cancellation."""
        target = _parse(request.url)
        if target is None:
            return Refused(request.url, Refusal.INVALID_URL, "this is not an http or https URL to request")
        attempt = _Attempt(request.url, time.perf_counter())
        timeout_s = request.timeout_s or self._options.timeout_s
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                return await self._exchange(request, target, attempt, deadline)
        except TimeoutError:
            return attempt.failed(Failure.TIMEOUT, f"no complete answer in {timeout_s:g} s")
        except BlockedAddress as blocked:
            return Refused(request.url, Refusal.BLOCKED_ADDRESS, str(blocked))
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as error:
            return Refused(request.url, Refusal.INVALID_URL, message_of(error))
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                _log.exception("fetch broke", url=request.url)
            return attempt.failed(failure or Failure.PROTOCOL, message_of(error))

    async def close(self) -> None:
        """Close all connections. Requests under way end as failures."""
        await self._egress.close()

    async def _exchange(
        self, request: Request, target: URL, attempt: _Attempt, deadline: asyncio.Timeout
    ) -> Outcome:
        response = await self._egress.send(target, request_headers(request), request.form)
        try:
            attempt.status, attempt.address = response.status, response.handler.address
            headers = response_headers(response.headers)
            if (idle_s := keep_alive_s(headers)) is not None:
                # Leave before the server does: a request it never reads is lost, and may not be sent twice.
                response.handler.reuse_for(idle_s - 1)
            if response.status < 100:
                return attempt.failed(Failure.PROTOCOL, f"absurd status {response.status}")
            if 200 <= response.status < 300:
                return await self._take(request, attempt, response, headers)
            await _drain(response, deadline)
            return self._judge(attempt, response, headers)
        finally:
            response.close()  # a connection whose answer was read to its end is back in the pool already

    async def _take(
        self, request: Request, attempt: _Attempt, response: Response, headers: Mapping[str, str]
    ) -> Fetched:
        if request.only_html and not is_html(headers.get("content-type")):
            return Fetched(attempt.exchange(headers, 0), b"", content_type=headers.get("content-type"))
        limit = request.max_bytes or self._options.max_body_bytes
        promised = headers.get("content-length", "")
        if promised.isdecimal() and int(promised[:20]) > limit and not request.truncate:
            raise BadBody(
                Failure.TOO_LARGE, f"the server announces {promised[:20]} bytes, the limit is {limit}"
            )
        decoders = decoders_for(headers.get("content-encoding"))
        body = await read_body(response.content, decoders, limit, truncate=request.truncate)
        if response.handler.broke and not promised and "transfer-encoding" not in headers:
            # Only an orderly close says that such a body is complete.
            raise BadBody(Failure.RESET, "the connection broke before the end of the body")
        return Fetched(
            attempt.exchange(headers, body.wire_bytes),
            body.data,
            content_type=headers.get("content-type"),
            etag=headers.get("etag"),
            last_modified=headers.get("last-modified"),
        )

    def _judge(self, attempt: _Attempt, response: Response, headers: Mapping[str, str]) -> Outcome:
        exchange = attempt.exchange(headers, response.content.total_bytes)
        if response.status == 304:
            return NotModified(exchange)
        if response.status in REDIRECT_STATUSES:
            location = as_text(response.headers.get("location", ""))
            target, follow, why = destination(location, attempt.url)
            return Redirected(exchange, location, target, why, follow)
        ceiling_s = self._options.retry_after_ceiling_s
        return Rejected(exchange, retry_after(headers.get("retry-after"), self._clock.now(), ceiling_s))


def _parse(url: str) -> URL | None:
    if not _REQUESTABLE.fullmatch(url):
        return None
    try:
        parsed = URL(url, encoded=True)
        return parsed if parsed.raw_host and parsed.port else None
    except ValueError:
        return None


async def _drain(response: Response, deadline: asyncio.Timeout) -> None:
    """Let a short body that nobody wants arrive, so that its connection can be used again."""
    content = response.content
    if content.is_eof() or (response.content_length or 0) > _DRAIN_BYTES:
        return
    patience = asyncio.get_running_loop().time() + _DRAIN_S
    with suppress(Exception):  # the answer is known, whatever becomes of the rest
        async with asyncio.timeout_at(min(patience, (deadline.when() or patience) - _DRAIN_MARGIN_S)):
            await content.wait_eof()
