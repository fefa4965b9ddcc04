"""The simulated web, which replaces the fetcher: it answers every request after a latency and logs it."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from outrider.crawl.records import measures_of
from outrider.fetch import Fetcher
from outrider.fetch.location import destination
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
from outrider.simulate.server import RequestPurpose, SimulatedResponse, answer
from outrider.simulate.site_failures import SimulatedFailure, failure_of, latency_s
from outrider.simulate.sites import Site
from outrider.simulate.virtual_time import VirtualClock
from outrider.urls import host_of, path_of

HEAD_BYTES = 250  # size of an answer without its body


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request as the site saw it, in seconds after the start."""

    host: str
    path: str
    asked: RequestPurpose
    began_s: float
    ended_s: float
    status: int | None  # None: no answer
    says: str = ""  # identifies the content; equal while the site has nothing new
    wire_bytes: int = 0
    retry_after_s: int | None = None


class SimulatedWeb(Fetcher):
    """Answers requests to the hosts of these sites; other hosts do not exist."""

    def __init__(self, sites: Iterable[Site], clock: VirtualClock, timeout_s: float) -> None:
        self.log: list[LoggedRequest] = []
        self._sites = {site.host: site for site in sites}
        self._time = clock
        self._timeout_s = timeout_s

    async def fetch(self, request: Request) -> Outcome:
        began_s, host, path = self._time.elapsed_s, host_of(request.url), path_of(request.url)
        site = self._sites.get(host)
        if site is None:
            return Failed(request.url, Failure.DNS, f"{host} does not exist", 0)
        timeout_s = request.timeout_s or self._timeout_s
        wait_s = latency_s(site, path, began_s)
        await asyncio.sleep(min(wait_s, timeout_s))
        found = answer(site, path, self._time.elapsed_s)
        met = (
            SimulatedFailure(failure=Failure.TIMEOUT)
            if wait_s > timeout_s
            else failure_of(site, path, began_s)
        )
        elapsed_ms = round(min(wait_s, timeout_s) * 1000)
        outcome = _troubled(request, met, elapsed_ms) if met else _answered(site, request, found, elapsed_ms)
        status, _, wire_bytes = measures_of(outcome)
        self.log.append(
            LoggedRequest(
                host,
                path,
                found.asked,
                began_s,
                self._time.elapsed_s,
                status,
                found.says,
                wire_bytes,
                met.retry_after_s if met else None,
            )
        )
        return outcome

    async def close(self) -> None:
        """There is nothing to close."""


def _troubled(request: Request, met: SimulatedFailure, elapsed_ms: int) -> Outcome:
    if met.failure is not None:
        return Failed(request.url, met.failure, met.failure.value, elapsed_ms)
    return Rejected(Exchange(request.url, met.status, {}, elapsed_ms, HEAD_BYTES), met.retry_after_s)


def _answered(site: Site, request: Request, found: SimulatedResponse, elapsed_ms: int) -> Outcome:
    if found.location is not None:
        target, follow, why = destination(found.location, request.url)
        exchange = Exchange(request.url, found.status, {}, elapsed_ms, HEAD_BYTES)
        return Redirected(exchange, found.location, target, why, follow)
    if found.status != 200:
        return Rejected(Exchange(request.url, found.status, {}, elapsed_ms, HEAD_BYTES))
    etag = f'"{_fingerprint(found)}"' if site.has_validators else None
    if etag is not None and request.etag == etag:
        return NotModified(Exchange(request.url, 304, {}, elapsed_ms, HEAD_BYTES))
    body = found.body.encode()
    headers = {"content-type": found.content_type}
    exchange = Exchange(request.url, 200, headers, elapsed_ms, HEAD_BYTES + len(body))
    return Fetched(exchange, body, content_type=found.content_type, etag=etag)


def _fingerprint(found: SimulatedResponse) -> str:
    return blake2b(f"{found.says} {found.edition}".encode(), digest_size=8).hexdigest()
