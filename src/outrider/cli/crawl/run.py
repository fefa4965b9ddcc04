"""Runs a crawl in the foreground: database, view, signals, summary."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta

from outrider import logs
from outrider.cli.crawl.log_file import LogFile
from outrider.cli.crawl.panels import picture
from outrider.cli.crawl.progress import JsonProgress, Lines, Quiet
from outrider.cli.crawl.screen import Draw, Screen
from outrider.cli.crawl.summary import summary
from outrider.cli.crawl.views import View
from outrider.cli.database import Database, open_database
from outrider.cli.early_start import EarlyDatabase
from outrider.cli.output import console, print_json, say, screen, show
from outrider.crawl.seeds import StartedCrawl
from outrider.logs import get_logger
from outrider.lossy import take_losses
from outrider.services.as_json import as_json
from outrider.services.crawl.crawl import run_crawl
from outrider.services.crawl.session import Task
from outrider.services.crawl.summary import CrawlReport, failure
from outrider.settings import Loaded, Settings
from outrider.sources.policy import Policy
from outrider.wording import plural
from outrider.workers.goals import CrawlGoal
from outrider.workers.session import Session
from outrider.workers.snapshot import Snapshot

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


async def crawl_and_report(
    loaded: Loaded,
    policy: Policy,
    display: CrawlDisplay,
    recrawl_age: timedelta | None = None,
    early: EarlyDatabase | None = None,
) -> bool:
    """Crawl, show the progress and print the result; False if the crawl failed."""
    with console().status("Starting the database …") if display.is_live else nullcontext() as status:
        async with open_database(loaded, early=early) as database:
            if status is not None:
                status.stop()
            found = await crawl(loaded, database, policy, display, recrawl_age)
    print_result(found, display)
    return not found.has_failed


def print_result(found: CrawlReport, display: CrawlDisplay) -> None:
    """Print the result of a crawl."""
    if display.json:
        print_json(as_json(found))
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
    settings, log = loaded.settings, log_file(loaded.settings, display)
    return await run_crawl(
        database,
        settings,
        CrawlGoal(policy, recrawl_age),
        lambda task: TerminalWatcher(task, settings, display, log),
        log=log.path if log else None,
        is_kept=display.is_kept,
    )


def log_file(settings: Settings, display: CrawlDisplay) -> LogFile | None:
    """Where logs go: log lines of workers would break the screen, and --quiet suppresses them."""
    if display.is_live or display.quiet:
        return LogFile(settings.database.data_dir / "log" / "crawl.log")
    return None


class TerminalWatcher:
    """Shows a session on the terminal. The first signal drains it, the second stops it."""

    def __init__(
        self,
        task: Task,
        settings: Settings,
        display: CrawlDisplay,
        log: LogFile | None,
        draw: Draw = picture,
    ) -> None:
        """`draw` makes the live screen."""
        self._task = task
        self._settings = settings
        self._log = log
        self._view = _view(task, display, draw)
        self._interrupts = 0
        self._interrupted_at = -ECHO_S
        self.lines_lost = 0
        if task.robots_notice and not (display.json or display.quiet):
            say(f"WARNING: {task.robots_notice}")

    @property
    def is_stopped(self) -> bool:
        return self._interrupts > 1

    @contextmanager
    def attached(self, session: Session) -> Iterator[None]:
        log, notice = self._log, self._task.robots_notice
        with ExitStack() as stack:
            if log is not None:
                stack.enter_context(log.catch_stderr())
            out = logs.set_up(self._settings.logs, service="crawl")
            if notice:
                get_logger().warning("robots.txt is not obeyed", why=notice)
            stack.enter_context(self._view)
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(logs.log_loop_exception)
            # From now on: a third signal must not disturb the cleanup.
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._interrupt, session)
            yield
            self.lines_lost = take_losses(out) + session.lines_lost()
        if self.lines_lost:
            where = log.path if log else "standard error"
            say(f"{plural(self.lines_lost, 'log line')} could not be written to {where}")

    def begin(self, start: StartedCrawl) -> None:
        self._view.begin(start)

    def show(self, snapshot: Snapshot) -> None:
        self._view.show(snapshot)
        if self._log is not None:
            self._log.turn_over()

    def silent(self) -> None:
        self._view.silent()

    def _interrupt(self, session: Session) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._interrupted_at < ECHO_S:
            return
        self._interrupts, self._interrupted_at = self._interrupts + 1, now
        self._view.drain()
        session.interrupt()


def _view(task: Task, display: CrawlDisplay, draw: Draw) -> View:
    if display.json:
        return JsonProgress(task)
    if display.quiet:
        return Quiet()
    return Screen(task, screen(), draw) if display.is_live else Lines(task)
