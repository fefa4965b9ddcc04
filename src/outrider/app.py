"""Builds the objects of a process from its settings."""

import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from outrider.auth.pruning import auth_tasks
from outrider.clock import Clock
from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.flush import Flusher
from outrider.crawl.handlers_by_kind import HandlersByKind
from outrider.crawl.limits.budget import PageBudget
from outrider.crawl.pages.reading import ReaderPool
from outrider.crawl.plans import PlanCache
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.robots.robots_cache import RobotsCache
from outrider.crawl.run_log import RunLog, VisitRunLog
from outrider.crawl.seen import SeenUrls
from outrider.crawl.sinks import PageSink, SinkQueue
from outrider.crawl.visit import Handler
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.events.periodic_tasks import event_tasks
from outrider.extract.native.choice import choose_scan
from outrider.fetch import Fetcher
from outrider.frontier.model import EntryKind
from outrider.frontier.store import FrontierStore
from outrider.jobs.periodic_tasks import job_tasks
from outrider.log_archive import log_archive_of, log_copy_of
from outrider.periodic_tasks import PeriodicTask
from outrider.robots.store import RobotsStore
from outrider.run_logs.periodic_tasks import run_log_tasks
from outrider.run_logs.writer import RunLogWriter
from outrider.settings import Settings
from outrider.settings.check_workers import check_worker_settings
from outrider.watch.periodic_tasks import watch_tasks
from outrider.watch.spider.handler import SourcePageHandler

if TYPE_CHECKING:
    from outrider.crawl.shared_seen import SharedSeen
    from outrider.jobs.adaptive_mirror import AdaptiveMirror
    from outrider.jobs.scheduler import Scheduler


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
    """The periodic tasks of a worker for the jobs of sources, for the event log and for logins."""
    name = f"{socket.gethostname()}:{context.frontier.worker_id}"
    return [
        *job_tasks(connection, settings.redis, name, is_balanced=settings.jobs.balancing),
        *event_tasks(connection),
        *auth_tasks(connection),
        *run_log_tasks(
            connection, log_archive_of(settings), settings.run_logs, log_copy_of(settings, connection)
        ),
    ]


def scheduler_for(
    settings: Settings, connection: ReconnectingConnection, written: Callable[[], None] = lambda: None
) -> "Scheduler":
    """A scheduler that runs the jobs of sources; it calls `written` when it has committed events."""
    from outrider.jobs.runner import JobRunner  # workers do without
    from outrider.jobs.scheduler import Scheduler, SchedulerLimits
    from outrider.watch.source_runs import SourceRuns

    frontier = FrontierStore(settings.frontier)
    runs = SourceRuns(frontier)
    options = settings.jobs
    limits = SchedulerLimits(options.most_runs, options.stale_after_s, options.timeout_s)
    runner = JobRunner(runs.start, runs.content_hash, frontier)
    return Scheduler(connection, runner, limits, mirror=_adaptive_mirror(settings), written=written)


def worker_context_for(
    settings: Settings,
    worker_id: int,
    *,
    flush_connection: ReconnectingConnection,
    lane_connection: ReconnectingConnection,
    log_connection: ReconnectingConnection | None = None,
    fetcher: Fetcher | None = None,
    clock: Clock | None = None,
    sinks: Sequence[PageSink] = (),
) -> WorkerContext:
    """What the parts of one worker share. Tests and simulations pass their own fetcher and clock.

    Each of `sinks` gets the pages of this worker after their commit. Without `log_connection` the worker
    writes no logs of runs.
    """
    check_worker_settings(settings)
    choose_scan(settings.crawl.scan)
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
        robots_cache=RobotsCache(),
        seen=seen,
        watch=TemplateWatch(settings.traps),
        readers=ReaderPool(readability=settings.crawl.readability),
        handlers=_handlers(settings, clock),
        options=settings.crawl,
        fetching=settings.fetch,
        host_options=settings.hosts,
        run_log=_run_log(settings, frontier, log_connection),
    )


def _handlers(settings: Settings, clock: Clock | None) -> HandlersByKind:
    def channels() -> dict[EntryKind, Handler]:
        from outrider.watch.handlers import channel_handlers

        return channel_handlers(settings.feeds, clock)

    def links() -> dict[EntryKind, Handler]:
        from outrider.links.monitor.handler import link_handlers

        return link_handlers(settings.links, clock)

    pages: dict[EntryKind, Handler] = {EntryKind.PAGE: SourcePageHandler()}
    on_demand = {EntryKind.FEED: channels, EntryKind.SITEMAP: channels, EntryKind.LINK: links}
    return HandlersByKind(pages, on_demand)


def _run_log(
    settings: Settings, frontier: FrontierStore, connection: ReconnectingConnection | None
) -> RunLog:
    if connection is None or not settings.run_logs.enabled:
        return RunLog()
    copy = None
    if settings.redis.run_logs:
        from outrider.run_logs.redis_stream import RedisCopy

        copy = RedisCopy(connection, settings.redis)
    writer = RunLogWriter(
        connection,
        settings.run_logs,
        worker_id=frontier.worker_id,
        run_counts=frontier.run_counts,
        copy=copy,
    )
    return VisitRunLog(writer, settings.run_logs)


def _adaptive_mirror(settings: Settings) -> "AdaptiveMirror | None":
    if not settings.redis.adaptive:
        return None
    from outrider.jobs.adaptive_mirror import AdaptiveMirror  # only schedulers that use Redis import it

    return AdaptiveMirror(settings.redis)


def _shared_seen(settings: Settings) -> "SharedSeen | None":
    if not settings.crawl.share_visited:
        return None
    # Importing redis takes a tenth of a second and ten megabytes, so only workers that use it import it.
    from outrider.crawl.shared_seen import SharedSeen

    return SharedSeen(settings.redis, settings.crawl.share_visited_s)
