"""Runs a crawl in the foreground: database, session, view, signals, summary."""

import asyncio
import signal
import sys
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from outrider import logs
from outrider.cli.crawl.findings import CrawlReport
from outrider.cli.crawl.log_file import LogFile
from outrider.cli.crawl.panels import picture
from outrider.cli.crawl.progress import JsonProgress, Lines, Quiet
from outrider.cli.crawl.robots_notice import robots_notice
from outrider.cli.crawl.screen import Draw, Screen
from outrider.cli.crawl.summary import as_data, failure, summary
from outrider.cli.crawl.views import Task, View
from outrider.cli.database import Database, open_database
from outrider.cli.output import console, print_json, say, screen, show
from outrider.crawl.seeds import Start
from outrider.errors import Unavailable
from outrider.logs import get_logger
from outrider.lossy import take_losses
from outrider.services.findings import gather_findings
from outrider.settings import Loaded
from outrider.sources.policy import Policy
from outrider.wording import plural
from outrider.workers.goals import CrawlGoal, Goal
from outrider.workers.session import CrawlResult, Session
from outrider.workers.snapshot import CrawlEnding, Snapshot

ECHO_S = 0.5  # a parent process may forward a Ctrl-C that this process received already


@dataclass(frozen=True, slots=True)
class CrawlDisplay:
    """How a crawl is shown."""

    json: bool = False
    quiet: bool = False
    is_kept: bool = True  # False: the data is thrown away afterwards

    @property
    def is_live(self) -> bool:
        return not (self.json or self.quiet) and sys.stdout.isatty()


async def crawl_and_tell(
    loaded: Loaded, policy: Policy, display: CrawlDisplay, recrawl_age: timedelta | None = None
) -> bool:
    """Crawl, show the progress and print the result; False if the crawl failed."""
    with console().status("Starting the database …") if display.is_live else nullcontext() as status:
        async with open_database(loaded) as database:
            if status is not None:
                status.stop()
            found = await crawl(loaded, database, policy, display, recrawl_age)
    tell(found, display)
    return not found.has_failed


def tell(found: CrawlReport, display: CrawlDisplay) -> None:
    """Print the result of a crawl."""
    if display.json:
        print_json(as_data(found))
    elif not (found.has_failed or display.quiet):
        show(summary(found))
    if found.has_failed:
        say(failure(found))


async def crawl(
    loaded: Loaded,
    database: Database,
    policy: Policy,
    display: CrawlDisplay,
    recrawl_age: timedelta | None = None,
) -> CrawlReport:
    """Crawl and show the progress."""
    settings, since = loaded.settings, datetime.now(UTC)
    result = await supervise(loaded, database, CrawlGoal(policy, recrawl_age), display)
    async with database.connection() as db:
        gathered = await gather_findings(db, result.start.source.source_id, policy.seeds, since)
    return CrawlReport(
        result.task,
        result.ending,
        result.snapshot,
        depth=policy.depth_limit(settings.crawl.depth_cap),
        stopped=result.is_stopped,
        lines_lost=result.lines_lost,
        gathered=gathered,
    )


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The result of a session."""

    task: Task
    ending: CrawlEnding
    start: Start
    snapshot: Snapshot
    is_stopped: bool  # interrupted twice
    lines_lost: int  # log lines that could not be written


async def supervise(
    loaded: Loaded, database: Database, goal: Goal, display: CrawlDisplay, draw: Draw = picture
) -> SessionResult:
    """Run a session to its end, with signal handlers and a view; `draw` makes the live screen."""
    settings = loaded.settings
    # Log lines of workers would break the screen, and --quiet suppresses them.
    log = (
        LogFile(settings.database.data_dir / "log" / "crawl.log")
        if display.is_live or display.quiet
        else None
    )
    async with database.connection() as db:
        notice = await robots_notice(db, settings, goal)
    task = Task(goal, settings.database.data_dir, log.path if log else None, display.is_kept, notice)
    if notice and not (display.json or display.quiet):
        say(f"WARNING: {notice}")
    view = _view(task, display, draw)
    session = Session(settings, database.dsn, goal, view.silent, database.embedded)
    try:
        with ExitStack() as stack:
            if log is not None:
                stack.enter_context(log.catch_stderr())
            out = logs.set_up(settings.logs, service="crawl")
            if notice:
                get_logger().warning("robots.txt is not obeyed", why=notice)
            result, interrupts = await _run(session, stack.enter_context(view), log)
            lost = take_losses(out) + session.lines_lost()
        if lost:
            where = log.path if log else "standard error"
            say(f"{plural(lost, 'log line')} could not be written to {where}")
        if result.ending is CrawlEnding.UNAVAILABLE:
            raise Unavailable(
                "the database stopped answering and did not come back; nothing that was written is lost"
            )
        if result.ending is CrawlEnding.WORKERS_FAIL:
            raise Unavailable(_workers_fail(result.error, log))
        last = await session.final(result.start)
        return SessionResult(task, result.ending, result.start, last, interrupts > 1, lost)
    finally:
        await session.close()


async def _run(session: Session, view: View, log: LogFile | None) -> tuple[CrawlResult, int]:
    """Run the session under signals: the first drains, the second stops."""
    loop = asyncio.get_running_loop()
    interrupts, last_at = 0, -ECHO_S

    def interrupt() -> None:
        nonlocal interrupts, last_at
        if loop.time() - last_at < ECHO_S:
            return
        interrupts, last_at = interrupts + 1, loop.time()
        view.drain()
        session.interrupt()

    def watch(snapshot: Snapshot) -> None:
        view.show(snapshot)
        if log is not None:
            log.turn_over()

    loop.set_exception_handler(logs.log_loop_exception)
    for number in (signal.SIGINT, signal.SIGTERM):  # from now on: a third signal must not disturb the cleanup
        loop.add_signal_handler(number, interrupt)
    result = await session.run(view.begin, watch)
    return result, interrupts


def _workers_fail(error: str | None, log: LogFile | None) -> str:
    """The message for workers that fail at their start."""
    why = error or "they logged no error"
    where = f" ({log.path} has their output)" if log else ""
    return f"the workers fail one after another: {why}{where}; nothing that was written is lost"


def _view(task: Task, display: CrawlDisplay, draw: Draw) -> View:
    if display.json:
        return JsonProgress(task)
    if display.quiet:
        return Quiet()
    return Screen(task, screen(), draw) if display.is_live else Lines(task)
