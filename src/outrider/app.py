"""Wires the parts together, once: settings in, working objects out."""

import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from outrider.clock import Clock
from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.desk import Desk
from outrider.crawl.flush import Flusher
from outrider.crawl.limits.budget import Budget
from outrider.crawl.pages.reading import Readers
from outrider.crawl.plans import Plans
from outrider.crawl.politeness.host_session import MARGIN_S
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.robots.gate import Gate
from outrider.crawl.seen import Seen
from outrider.crawl.sinks import PageSink, SinkQueue
from outrider.db.line import Line
from outrider.documents.store import DocumentStore
from outrider.duties import Duty
from outrider.errors import Misconfigured
from outrider.events.duties import event_duties
from outrider.fetch import Fetcher
from outrider.frontier.model import Kind
from outrider.frontier.store import FrontierStore
from outrider.jobs.duties import job_duties
from outrider.robots.store import RobotsStore
from outrider.settings import Settings
from outrider.watch.duties import duties
from outrider.watch.handlers import channel_handlers
from outrider.watch.registry import Registry
from outrider.watch.spider.handler import SourcePages

if TYPE_CHECKING:
    from outrider.crawl.shared_seen import SharedSeen


def check(settings: Settings) -> None:
    """Refuse combinations that could never work."""
    needed = settings.fetch.timeout_s + MARGIN_S
    if settings.frontier.lease_s <= needed:
        raise Misconfigured(
            f"OUTRIDER_LEASE is {settings.frontier.lease_s:g} s, but a request may take {needed:g} s: "
            "make the lease longer, or OUTRIDER_TIMEOUT shorter"
        )


def duties_for(settings: Settings, desk: Desk, line: Line) -> list[Duty]:
    """What a worker does for watched sources besides visiting."""

    def open_fetch() -> LeasedFetch:
        return LeasedFetch(desk.fetcher, line, desk.frontier, settings.fetch, settings.hosts)

    return duties(line, desk.frontier, settings.feeds, open_fetch)


def job_duties_for(settings: Settings, desk: Desk, line: Line) -> list[Duty]:
    """What a worker does for the jobs of sources, and for the log of events."""
    name = f"{socket.gethostname()}:{desk.frontier.worker_id}"
    start = Registry(desk.frontier).visit_now
    return [*job_duties(line, start, settings.valkey, name), *event_duties(line)]


def desk_for(
    settings: Settings,
    worker_id: int,
    *,
    flush_line: Line,
    ask_line: Line,
    fetcher: Fetcher | None = None,
    clock: Clock | None = None,
    sinks: Sequence[PageSink] = (),
) -> Desk:
    """What the parts of one worker share, with another network or another clock where they are given.

    Each of `sinks` gets the pages of this worker after their commit.
    """
    check(settings)
    frontier = FrontierStore(settings.frontier, worker_id)
    seen = Seen()
    return Desk(
        fetcher=fetcher or Fetcher(settings.fetch),
        frontier=frontier,
        robots=RobotsStore(),
        line=ask_line,
        flusher=Flusher(
            flush_line,
            frontier,
            DocumentStore(),
            seen,
            settings.crawl,
            shared=_shared_seen(settings),
            sinks=SinkQueue(sinks, clock=clock) if sinks else None,
        ),
        plans=Plans(ask_line, settings.crawl.depth_cap),
        budget=Budget(ask_line),
        gate=Gate(),
        seen=seen,
        watch=TemplateWatch(settings.traps),
        readers=Readers(readability=settings.crawl.readability),
        handlers={Kind.PAGE: SourcePages(), **channel_handlers(settings.feeds, clock)},
        options=settings.crawl,
        fetching=settings.fetch,
        care=settings.hosts,
    )


def _shared_seen(settings: Settings) -> "SharedSeen | None":
    if not settings.crawl.share_visited:
        return None
    # redis takes a tenth of a second to import and ten megabytes: only where it is used.
    from outrider.crawl.shared_seen import SharedSeen

    return SharedSeen(settings.valkey, settings.crawl.share_visited_s)
