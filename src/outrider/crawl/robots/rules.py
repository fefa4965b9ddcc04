"""Which robots.txt rules hold for a URL: from memory, from the database, or from the host itself.

robots.txt is an entry like any other: it is fetched under the host's lease, with the host's delay, and
has a history. When three answers in a row are unusable, the whole host waits for an hour: its URLs stay
queued, and nothing is lost (CON-04).

Blocked entries are checked again when the stored file expires: a blocked feed or sitemap is queued for that
time, and so is one dead page of each origin (`watch/blocked.py`). The check requests only robots.txt; when
the rules have changed, all entries that they now allow are queued again (ROB-12).
"""

import time
from dataclasses import dataclass, replace

import asyncpg

from outrider.crawl.context import VisitContext
from outrider.crawl.host_policy import asked_pause
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.records import completion_of, note_request
from outrider.crawl.robots.file import answer_of, last_of, request_for
from outrider.crawl.robots.wake import wake_allowed
from outrider.crawl.turn import LeaseRules, Turn
from outrider.fetch.hops import Chain, HopLimits
from outrider.fetch.outcome import Outcome, Refused
from outrider.fetch.outcome_name import name_of
from outrider.fetch.redirects import follow_redirects
from outrider.frontier.backoff import robots_wait
from outrider.frontier.model import Entry, EntryKind, UrlOrigin
from outrider.hosts.breaker import ROBOTS_TRIES, on_robots
from outrider.hosts.politeness import base_delay
from outrider.logs import get_logger
from outrider.robots import AGENT, Robots
from outrider.robots.store import CachedRules, robots_of
from outrider.urls import host_id_of, host_of, key_of, origin_of

log = get_logger()

BUSY_S = 6.0  # pause of a host whose robots.txt redirects to a busy host
AFTER_EXPIRY_S = 1.0  # a check at the moment of expiry could still find the old rules in a cache


async def rules_for(entry: Entry, plan: CrawlPlan, turn: Turn, context: VisitContext) -> Robots | None:
    """The rules for this entry; None when they are unknown now and the lane should release the host."""
    if plan.policy.ignore_robots or not context.options.respect_robots:
        return Robots.ALLOW_ALL
    origin = origin_of(entry.url)
    held = context.robots_cache.find(origin)
    if held is None:
        await _load(turn.lease.host_id, context)
        held = context.robots_cache.find(origin)
    if held is None:
        # The Crawl-delay is not known yet: until then the delay of the source or the settings holds.
        asked_ms = base_delay(None, _asked_s(plan, turn), context.host_options)
        turn.state = replace(turn.state, delay_ms=max(turn.lease.stored_delay_ms, asked_ms))
        held = await _fetch(origin, turn, context)
    return None if held is None else held.robots


def lease_rules(entry: Entry, plan: CrawlPlan, turn: Turn) -> Robots | None:
    """The rules and the delay that the last visit of this lease found, if they hold for this entry, too.

    Nearly all entries of a lease have one origin and one plan. None: `find_lease_rules` has to look.
    """
    found = turn.rules
    if (
        found is None
        or found.plan is not plan
        or found.delay_ms != turn.state.delay_ms
        or not entry.url.startswith(found.prefix)
        or found.expires <= time.monotonic()
    ):
        return None
    return found.robots


async def find_lease_rules(entry: Entry, plan: CrawlPlan, turn: Turn, context: VisitContext) -> Robots | None:
    """The rules for this entry, after the delay was set from them; None when the lane should release."""
    robots = await rules_for(entry, plan, turn, context)
    if robots is None:
        return None
    set_delay(robots, plan, turn, context)
    prefix = origin_of(entry.url)
    held = context.robots_cache.last_known(prefix)
    if held is not None and held.robots is robots:
        turn.rules = LeaseRules(plan, f"{prefix}/", turn.state.delay_ms, robots, held.expires)
    return robots


@dataclass(frozen=True, slots=True)
class RobotsBlock:
    """Why robots.txt blocks a URL, and in how many seconds the rules are checked again."""

    line: int | None
    again_in_s: float

    @property
    def message(self) -> str:
        return "blocked by robots.txt" + ("" if self.line is None else f" (line {self.line})")


def block_of(url: str, context: VisitContext) -> RobotsBlock:
    """The block of a URL by the cached rules, which hold until the stored file expires."""
    held = context.robots_cache.last_known(origin_of(url))
    if held is None:
        return RobotsBlock(None, context.options.robots_ttl_s)
    again_in_s = max(held.expires - time.monotonic(), 0.0) + AFTER_EXPIRY_S
    return RobotsBlock(held.robots.verdict(AGENT, url).line, again_in_s)


def set_delay(robots: Robots, plan: CrawlPlan, turn: Turn, context: VisitContext) -> None:
    """Set the delay between requests from these rules, the source and the settings."""
    delay_ms = base_delay(robots.crawl_delay(AGENT), _asked_s(plan, turn), context.host_options)
    if delay_ms != turn.state.delay_ms:
        turn.change(replace(turn.state, delay_ms=delay_ms))


def _asked_s(plan: CrawlPlan, turn: Turn) -> float | None:
    asked_ms = turn.lease.asked_delay_ms
    return plan.policy.delay_s if asked_ms is None else asked_ms / 1000


async def _load(host_id: int, context: VisitContext) -> None:
    async def read(db: asyncpg.Connection) -> dict[str, CachedRules]:
        return await context.robots.of_hosts(db, [host_id])

    context.robots_cache.put(await context.connection.run(read, patience_s=60))


async def _fetch(origin: str, turn: Turn, context: VisitContext) -> CachedRules | None:
    """Request the robots.txt of the host, up to three times."""
    for try_no in range(1, ROBOTS_TRIES + 1):
        outcome = await _ask(origin, turn, context)
        if outcome is None:
            return None
        if isinstance(outcome, CachedRules):
            return await _remember(origin, outcome.status or 200, outcome.body, turn, context)
        if isinstance(outcome, Refused):
            # The address guard refuses the host; the request for the page will report it.
            return CachedRules(Robots.ALLOW_ALL, time.monotonic())
        status, body = answer_of(outcome)
        reaction = on_robots(turn.state, answered=status is not None)
        turn.change(reaction.state)
        if status is not None:
            return await _remember(origin, status, body, turn, context)
        if reaction.pause:
            turn.pause(reaction.pause.total_seconds())
            log.warning(
                "robots.txt unreachable",
                host=turn.lease.host,
                outcome=name_of(outcome),
                wait_s=reaction.pause.total_seconds(),
            )
            return None
        turn.pause(robots_wait(try_no).total_seconds())
    return None


async def _ask(origin: str, turn: Turn, context: VisitContext) -> Outcome | CachedRules | None:
    """Request one robots.txt and follow its redirects; None when the lane must release the host.

    A redirect to a cached file (from example.com to www.example.com) is answered from the cache.
    """
    entry = _entry_of(f"{origin}/robots.txt")
    answers: list[Outcome] = []

    async def ask(chain: Chain) -> Outcome | CachedRules | None:
        if chain.hops and (held := await _held_at(chain.url, turn, context)) is not None:
            return held
        async with turn.at(host_of(chain.url)) as current:
            if current is None:
                turn.pause(BUSY_S)
                return None
            if not await current.wait_until_ready():
                return None
            outcome = await current.ask(request_for(chain.url, context.fetching.timeout_s))
            current.pause(asked_pause(outcome, context.host_options).total_seconds())
        note_request(context.flusher.batch, entry, outcome)
        answers.append(outcome)
        return outcome

    result = await follow_redirects(Chain.start(entry.url), ask, HopLimits(context.fetching.max_redirects))
    if result.answer is None:
        return None
    context.flusher.batch.complete(completion_of(entry, answers[-1]))
    return result.answer if isinstance(result.answer, CachedRules) else last_of(answers)


async def _held_at(url: str, turn: Turn, context: VisitContext) -> CachedRules | None:
    """The stored rules of another host, if the URL is that of its robots.txt."""
    origin, host = origin_of(url), host_of(url)
    if url != f"{origin}/robots.txt" or host == turn.lease.host:
        return None
    if context.robots_cache.find(origin) is None:
        await _load(host_id_of(host), context)
    return context.robots_cache.find(origin)


async def _remember(origin: str, status: int, body: bytes, turn: Turn, context: VisitContext) -> CachedRules:
    before = context.robots_cache.last_known(origin)
    life_s = context.options.robots_ttl_s
    held = CachedRules(robots_of(status, body), time.monotonic() + life_s, status, body)
    if before is not None and (before.status, before.body) != (status, body):
        # This comes before the new rules are stored: after a crash in between, the change is seen again.
        await wake_allowed(context.connection, context.frontier, turn.lease.host_id, origin, held.robots)

    async def write(db: asyncpg.Connection) -> None:
        await context.robots.remember(
            db, host_id=turn.lease.host_id, origin=origin, status=status, body=body, life_s=life_s
        )

    await context.connection.run(write, patience_s=60)
    context.robots_cache.put({origin: held})
    return held


def _entry_of(url: str) -> Entry:
    return Entry(
        key=key_of(url),
        url=url,
        priority=5,
        source_id=1,
        origin=UrlOrigin.DISCOVERED,
        kind=EntryKind.ROBOTS,
        depth=0,
        attempts=0,
        fetches=0,
        hops=0,
        via=None,
        etag=None,
        last_modified=None,
    )
