"""Fetch one address as a crawl does: robots.txt first, at the pace of the host, hop by hop.

It needs no database and stores nothing. It follows redirects to other hosts. Every hop is checked like the
first address: against the robots.txt of its own origin, and by the address guard of the fetcher.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from outrider.crawl.politeness.fetch_result import (
    FetchEnding,
    FetchResult,
    NoRequestReason,
    elapsed_ms_of,
    ending_of,
    reason_of,
)
from outrider.crawl.politeness.host_pace import HostPace
from outrider.crawl.robots.file import RobotsFile, ask_robots
from outrider.errors import Conflict
from outrider.fetch import Chain, Failed, Fetcher, Hop, HopLimits, Outcome, Refused, Request
from outrider.fetch.hops import SAME_METHOD_STATUSES
from outrider.fetch.redirects import follow_redirects
from outrider.frontier.dead_reason import DeadReason
from outrider.hosts.model import HostState
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import base_delay
from outrider.robots import AGENT
from outrider.urls import host_of, origin_of, resolve

LONGEST_CRAWL_DELAY_S = 60.0  # a robots.txt may ask for a day; a single fetch waits no longer than this
LARGEST_REPLY = 64 * 1024  # to a form: the reply is not read


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one fetch. None means the fetcher's own option."""

    max_redirects: int
    timeout_s: float | None = None
    max_bytes: int | None = None
    ignore_robots: bool = False
    follow_redirects: bool = True
    patience_s: float = 0.0  # a host that asks for a rest of at most this long is waited for


PAGE = Request("")  # the request for a page: each address of a chain is filled in


class SingleFetch:
    """Fetches addresses; each host gets one request at a time and keeps its delay.

    Several tasks may fetch at once. Raises Conflict when a host asked for a rest, or rests after failures.
    """

    def __init__(self, fetcher: Fetcher, host_options: HostOptions, limits: Limits) -> None:
        self.fetcher = fetcher
        self.host_options = host_options
        self._limits = limits
        self.dice = random.Random()
        self._robots: dict[str, RobotsFile] = {}  # by origin
        self._resting: set[str] = set()  # hosts that asked for a rest, or that are down
        self._paces: dict[str, HostPace] = {}
        self._elapsed_ms = 0
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by host, and by origin

    async def run(self, url: str, request: Request = PAGE) -> FetchResult:
        """Fetch an absolute http or https address. `request` says how, for every hop."""
        limits = HopLimits(self._limits.max_redirects, self._limits.follow_redirects)
        visit = partial(self._visit, request=request)
        result = await follow_redirects(Chain.start(url), visit, limits)
        if isinstance(result.answer, FetchResult):
            return result.answer
        ending, message = ending_of(result.answer)
        reason = result.end.reason or reason_of(result.answer)
        return self._single(
            ending, result.chain.url, reason, message=message, hops=result.end.hops, outcome=result.answer
        )

    async def post(self, url: str, form: Mapping[str, str]) -> Outcome:
        """Send a form; a redirect is followed where the redirect asks for the same form again.

        robots.txt is not requested. It is about pages, and an address that a feed names as a hub is an API.
        """
        request = Request(resolve(url), form=form, max_bytes=LARGEST_REPLY, truncate=True)

        async def send(chain: Chain) -> Outcome:
            return await self._ask(request._replace(url=chain.url))

        limits = HopLimits(self._limits.max_redirects, statuses=SAME_METHOD_STATUSES)
        return (await follow_redirects(Chain.start(request.url), send, limits)).answer

    async def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Send JSON to an API that its owner named: without redirects, and without robots.txt."""
        return await self._ask(
            Request(resolve(url), json=body, headers=headers, max_bytes=LARGEST_REPLY, truncate=True)
        )

    async def robots_file(self, origin: str) -> RobotsFile:
        """The robots.txt of an origin, requested once; its Crawl-delay holds from then on."""
        async with self._turns[origin]:
            file = self._robots.get(origin)
            if file is None:
                file = await ask_robots(origin, self._ask, self._limits.max_redirects, self._limits.timeout_s)
                self._robots[origin] = file
                host = host_of(origin)
                pace = self._paces[host]
                pace.change(replace(pace.state, delay_ms=self._delay_ms(host)))
            return file

    async def give_back(self, host: str) -> None:
        """No more requests to this host are planned."""

    async def _visit(self, chain: Chain, request: Request = PAGE) -> Outcome | FetchResult:
        """Request one address of the chain; a FetchResult says why it is not requested."""
        if not self._limits.ignore_robots:
            file = await self.robots_file(origin_of(chain.url))
            if (forbidden := self._forbidden(chain, file)) is not None:
                return forbidden
        limits = self._limits
        outcome = await self._ask(
            request._replace(
                url=chain.url,
                timeout_s=request.timeout_s or limits.timeout_s,
                max_bytes=request.max_bytes or limits.max_bytes,
            )
        )
        self._elapsed_ms += elapsed_ms_of(outcome)
        return outcome

    def _forbidden(self, chain: Chain, file: RobotsFile) -> FetchResult | None:
        """The result when robots.txt forbids this hop; None when it allows the request."""
        if file.rules is None:
            return self._without_rules(chain, file)
        verdict = file.rules.verdict(AGENT, chain.url)
        if not verdict.allowed:
            message = f"{file.url} line {verdict.line} says {verdict.rule}"
            return self._single(
                FetchEnding.ROBOTS_BLOCKED,
                chain.url,
                DeadReason.ROBOTS_BLOCKED,
                message=message,
                hops=chain.hops,
            )
        asked_s = file.rules.crawl_delay(AGENT) or 0.0
        if asked_s > LONGEST_CRAWL_DELAY_S:
            message = f"{file.url} asks for {asked_s:g} s between requests"
            return self._single(
                FetchEnding.REFUSED,
                chain.url,
                NoRequestReason.DELAY_TOO_LONG,
                message=message,
                hops=chain.hops,
            )
        return None

    def _without_rules(self, chain: Chain, file: RobotsFile) -> FetchResult:
        """The robots.txt cannot be read. The page would have met the same failure."""
        self._elapsed_ms += elapsed_ms_of(file.outcome)
        ending: FetchEnding
        reason: str
        match file.outcome:
            case Failed(failure=failure, message=message):
                ending, reason = FetchEnding.FAILED, failure
            case Refused(refusal=refusal, message=message):
                ending, reason = FetchEnding.REFUSED, refusal
            case _:
                ending, reason = FetchEnding.ROBOTS_BLOCKED, NoRequestReason.ROBOTS_UNREACHABLE
                message = f"it answered {file.status}; a crawl leaves such a host alone for an hour"
        return self._single(ending, chain.url, reason, message=f"{file.url}: {message}", hops=chain.hops)

    def _single(
        self,
        ending: FetchEnding,
        url: str,
        reason: str | None,
        *,
        message: str | None = None,
        hops: tuple[Hop, ...] = (),
        outcome: Outcome | None = None,
    ) -> FetchResult:
        return FetchResult(ending, url, self._elapsed_ms, reason, message, hops, outcome, dict(self._robots))

    async def _ask(self, request: Request) -> Outcome:
        """Make one request at the pace of its host."""
        host = host_of(request.url)
        async with self._turns[host]:
            if host in self._resting:
                raise Conflict(f"{host} has to rest")
            pace = self._paces.get(host)
            if pace is None:
                pace = self._paces[host] = await self._open(host)
            await self._wait(host, pace)
            outcome = await pace.ask(request)
            if pace.learn(outcome) and pace.wait_s > self._limits.patience_s:
                self._resting.add(host)
            return outcome

    async def _open(self, host: str) -> HostPace:
        """The pace of a host that was not requested before."""
        return HostPace(HostState(delay_ms=self._delay_ms(host)), self)

    async def _wait(self, host: str, pace: HostPace) -> None:
        """Wait for the delay of the host."""
        await pace.may_ask()

    def _delay_ms(self, host: str) -> int:
        """The delay between requests to a host, by its robots.txt or else by the settings."""
        return base_delay(self._crawl_delay_s(host), None, self.host_options)

    def _crawl_delay_s(self, host: str) -> float | None:
        """The longest Crawl-delay that the origins of a host ask for."""
        files = [file for origin, file in self._robots.items() if host_of(origin) == host]
        asked = [file.rules.crawl_delay(AGENT) for file in files if file.rules is not None]
        return max((each for each in asked if each is not None), default=None)
