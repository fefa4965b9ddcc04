"""Builds the objects of a process from its settings."""

import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from outrider.clock import Clock
from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.flush import Flusher
from outrider.crawl.limits.budget import PageBudget
from outrider.crawl.pages.reading import Readers
from outrider.crawl.plans import PlanCache
from outrider.crawl.politeness.host_session import MARGIN_S
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.robots.robots_cache import RobotsCache
from outrider.crawl.seen import SeenUrls
from outrider.crawl.sinks import PageSink, SinkQueue
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.errors import Misconfigured
from outrider.events.periodic_tasks import event_tasks
from outrider.fetch import Fetcher
from outrider.frontier.model import EntryKind
from outrider.frontier.store import FrontierStore
from outrider.jobs.periodic_tasks import job_tasks
from outrider.periodic_tasks import PeriodicTask
from outrider.robots.store import RobotsStore
from outrider.settings import Settings
from outrider.watch.handlers import channel_handlers
from outrider.watch.periodic_tasks import watch_tasks
from outrider.watch.source_service import SourceService
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


def watch_tasks_for(
    settings: Settings, context: WorkerContext, connection: ReconnectingConnection
) -> list[PeriodicTask]:
    """The periodic tasks of a worker for watched sources."""

    def open_fetch() -> LeasedFetch:
        return LeasedFetch(context.fetcher, connection, context.frontier, settings.fetch, settings.hosts)

    return watch_tasks(connection, context.frontier, settings.feeds, open_fetch)


def job_tasks_for(
    settings: Settings, context: WorkerContext, connection: ReconnectingConnection
) -> list[PeriodicTask]:
    """The periodic tasks of a worker for the jobs of sources and for the event log."""
    name = f"{socket.gethostname()}:{context.frontier.worker_id}"
    start = SourceService(context.frontier).visit_now
    return [*job_tasks(connection, start, settings.redis, name), *event_tasks(connection)]


def worker_context_for(
    settings: Settings,
    worker_id: int,
    *,
    flush_connection: ReconnectingConnection,
    lane_connection: ReconnectingConnection,
    fetcher: Fetcher | None = None,
    clock: Clock | None = None,
    sinks: Sequence[PageSink] = (),
) -> WorkerContext:
    """What the parts of one worker share. Tests and simulations pass their own fetcher and clock.

    Each of `sinks` gets the pages of this worker after their commit.
    """
    check(settings)
    frontier = FrontierStore(settings.frontier, worker_id)
    seen = SeenUrls()
    return WorkerContext(
        fetcher=fetcher or Fetcher(settings.fetch),
        frontier=frontier,
        robots=RobotsStore(),
        connection=lane_connection,
        flusher=Flusher(
            flush_connection,
            frontier,
            DocumentStore(),
            seen,
            settings.crawl,
            shared=_shared_seen(settings),
            sinks=SinkQueue(sinks, clock=clock) if sinks else None,
        ),
        plans=PlanCache(lane_connection, settings.crawl.depth_cap),
        budget=PageBudget(lane_connection),
        gate=RobotsCache(),
        seen=seen,
        watch=TemplateWatch(settings.traps),
        readers=Readers(readability=settings.crawl.readability),
        handlers={EntryKind.PAGE: SourcePages(), **channel_handlers(settings.feeds, clock)},
        options=settings.crawl,
        fetching=settings.fetch,
        host_options=settings.hosts,
    )


def _shared_seen(settings: Settings) -> "SharedSeen | None":
    if not settings.crawl.share_visited:
        return None
    # Importing redis takes a tenth of a second and ten megabytes, so only workers that use it import it.
    from outrider.crawl.shared_seen import SharedSeen

    return SharedSeen(settings.redis, settings.crawl.share_visited_s)
