"""One fetch by hand, as a crawl would make it: robots.txt first, in the host's rhythm, hop by hop.

Needs no database and keeps nothing. Redirects are followed over hosts, and every hop is judged like the
first address: by the robots.txt of its own origin, and by the address guard of the fetcher.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from outrider.crawl.by_hand.pacer import Pacer
from outrider.crawl.decide import Dead, Retry, decide
from outrider.crawl.desk import AGENT
from outrider.crawl.robots.file import RobotsFile, ask_robots
from outrider.fetch import (
    Chain,
    Failed,
    Fetched,
    Fetcher,
    Hop,
    Loop,
    NotModified,
    Outcome,
    Redirected,
    Refused,
    Rejected,
    Request,
    TooMany,
)
from outrider.frontier.dead_reason import DeadReason
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import base_delay
from outrider.urls import origin_of

MOST_PATIENCE_S = 60.0  # a robots.txt may ask for a day between requests; nobody sits and waits for that


class Ending(StrEnum):
    """What a single fetch came to."""

    FETCHED = "fetched"  # a 2xx with its whole body
    NOT_MODIFIED = "not_modified"
    REDIRECTED = "redirected"  # and not followed further: `reason` says why
    REJECTED = "rejected"  # any other status
    FAILED = "failed"  # no usable answer
    REFUSED = "refused"  # not asked: an address we may not talk to, or a host that wants us to wait for long
    ROBOTS_BLOCKED = "robots_blocked"


class NotAsked(StrEnum):
    """Why a single fetch makes no request, where a crawl would wait and try again."""

    DELAY_TOO_LONG = "delay_too_long"
    ROBOTS_UNREACHABLE = "robots_unreachable"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one fetch may go. None leaves it to the fetcher's own options."""

    max_redirects: int
    timeout_s: float | None = None
    max_bytes: int | None = None
    ignore_robots: bool = False
    follow_redirects: bool = True


@dataclass(frozen=True, slots=True)
class Single:
    """What came of it. `outcome` is the last answer, None when robots.txt kept us from asking."""

    ending: Ending
    url: str  # the last address: answered, or not to be asked
    elapsed_ms: int  # of the URL and its hops, without robots.txt and the pauses between requests
    reason: str | None = None
    message: str | None = None  # the reason in words, where there is more to say
    hops: tuple[Hop, ...] = ()
    outcome: Outcome | None = None
    robots: Mapping[str, RobotsFile] = field(default_factory=dict)  # by origin, as far as asked

    @property
    def is_ok(self) -> bool:
        return self.ending in (Ending.FETCHED, Ending.NOT_MODIFIED)

    @property
    def status(self) -> int | None:
        match self.outcome:
            case Failed(status=status):
                return status
            case None | Refused():
                return None
            case answered:
                return answered.exchange.status

    @property
    def headers(self) -> Mapping[str, str]:
        match self.outcome:
            case None | Failed() | Refused():
                return {}
            case answered:
                return answered.exchange.headers

    @property
    def body(self) -> bytes:
        return self.outcome.body if isinstance(self.outcome, Fetched) else b""


class SingleFetch:
    """One trip from an address to wherever it leads."""

    def __init__(self, fetcher: Fetcher, care: HostOptions, limits: Limits) -> None:
        self._pacer = Pacer(fetcher)
        self._care = care
        self._limits = limits
        self._robots: dict[str, RobotsFile] = {}
        self._elapsed_ms = 0

    async def run(self, url: str) -> Single:
        """Fetch an absolute http or https address."""
        chain = Chain.start(url)
        while True:
            if (kept_out := await self._kept_out(chain)) is not None:
                return kept_out
            outcome = await self._ask(
                Request(chain.url, timeout_s=self._limits.timeout_s, max_bytes=self._limits.max_bytes)
            )
            self._elapsed_ms += _elapsed_ms(outcome)
            if not isinstance(outcome, Redirected) or outcome.follow is None:
                return self._end(chain, outcome)
            if not self._limits.follow_redirects:
                return self._stopped(chain, DeadReason.REDIRECT_NOT_FOLLOWED, outcome)
            status = outcome.exchange.status
            match chain.follow(outcome.follow, status, datetime.now(UTC), self._limits.max_redirects):
                case Chain() as further:
                    chain = further
                case Loop(hops=hops):
                    return self._stopped(chain, DeadReason.REDIRECT_LOOP, outcome, hops)
                case TooMany(hops=hops):
                    return self._stopped(chain, DeadReason.TOO_MANY_REDIRECTS, outcome, hops)

    async def _kept_out(self, chain: Chain) -> Single | None:
        """What robots.txt has against this hop; None when we may ask."""
        if self._limits.ignore_robots:
            return None
        origin = origin_of(chain.url)
        file = self._robots.get(origin)
        if file is None:
            file = await ask_robots(origin, self._ask, self._limits.max_redirects, self._limits.timeout_s)
            self._robots[origin] = file
        if file.rules is None:
            return self._without_rules(chain, file)
        verdict = file.rules.verdict(AGENT, chain.url)
        if not verdict.allowed:
            message = f"{file.url} line {verdict.line} says {verdict.rule}"
            return self._single(
                Ending.ROBOTS_BLOCKED, chain.url, DeadReason.ROBOTS_BLOCKED, message=message, hops=chain.hops
            )
        asked_s = file.rules.crawl_delay(AGENT) or 0.0
        if asked_s > MOST_PATIENCE_S:
            message = f"{file.url} asks for {asked_s:g} s between requests"
            return self._single(
                Ending.REFUSED, chain.url, NotAsked.DELAY_TOO_LONG, message=message, hops=chain.hops
            )
        return None

    def _without_rules(self, chain: Chain, file: RobotsFile) -> Single:
        """Nobody answered for robots.txt. What broke is what the URL would have met, too."""
        self._elapsed_ms += _elapsed_ms(file.outcome)
        ending: Ending
        reason: str
        match file.outcome:
            case Failed(failure=failure, message=message):
                ending, reason = Ending.FAILED, failure
            case Refused(refusal=refusal, message=message):
                ending, reason = Ending.REFUSED, refusal
            case _:
                ending, reason = Ending.ROBOTS_BLOCKED, NotAsked.ROBOTS_UNREACHABLE
                message = f"it answered {file.status}; a crawl leaves such a host alone for an hour"
        return self._single(ending, chain.url, reason, message=f"{file.url}: {message}", hops=chain.hops)

    def _stopped(
        self, chain: Chain, reason: DeadReason, outcome: Outcome, hops: tuple[Hop, ...] = ()
    ) -> Single:
        """A redirect that is not followed."""
        return self._single(Ending.REDIRECTED, chain.url, reason, outcome=outcome, hops=hops)

    def _end(self, chain: Chain, outcome: Outcome) -> Single:
        ending, message = _ending_of(outcome)
        return self._single(
            ending, chain.url, reason_of(outcome), message=message, hops=chain.hops, outcome=outcome
        )

    def _single(
        self,
        ending: Ending,
        url: str,
        reason: str | None,
        *,
        message: str | None = None,
        hops: tuple[Hop, ...] = (),
        outcome: Outcome | None = None,
    ) -> Single:
        return Single(ending, url, self._elapsed_ms, reason, message, hops, outcome, dict(self._robots))

    async def _ask(self, request: Request) -> Outcome:
        return await self._pacer.ask(request, self._delay_s(request.url))

    def _delay_s(self, url: str) -> float:
        file = self._robots.get(origin_of(url))
        asked = file.rules.crawl_delay(AGENT) if file is not None and file.rules is not None else None
        return base_delay(asked, None, self._care) / 1000


def reason_of(outcome: Outcome) -> str | None:
    """The machine word for an answer that is no page; None for one that is."""
    match outcome:
        case Fetched() | NotModified():
            return None
        case Failed(failure=failure):
            return failure
        case Refused(refusal=refusal):
            return refusal
        case _:
            match decide(outcome, attempts=0, max_attempts=2, jitter=0):
                case Dead(reason=reason) | Retry(reason=reason):
                    return reason
                case _:
                    return None


def _ending_of(outcome: Outcome) -> tuple[Ending, str | None]:
    match outcome:
        case Fetched():
            return Ending.FETCHED, None
        case NotModified():
            return Ending.NOT_MODIFIED, None
        case Redirected(why=why):
            return Ending.REDIRECTED, why
        case Rejected():
            return Ending.REJECTED, None
        case Failed(message=message):
            return Ending.FAILED, message
        case Refused(message=message):
            return Ending.REFUSED, message


def _elapsed_ms(outcome: Outcome) -> int:
    match outcome:
        case Refused():
            return 0
        case Failed(elapsed_ms=elapsed_ms):
            return elapsed_ms
        case answered:
            return answered.exchange.elapsed_ms
