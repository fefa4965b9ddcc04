"""The use case of a session: run workers until a crawl or a watch ends, and say how it ended."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import asyncpg

from outrider.crawl.seeds import StartedCrawl
from outrider.db.embedded import EmbeddedPostgres
from outrider.errors import Unavailable
from outrider.services.hosts.robots_notice import robots_notice
from outrider.settings import Settings
from outrider.wording import plural
from outrider.workers.goals import Goal
from outrider.workers.session import Session
from outrider.workers.snapshot import CrawlEnding, Snapshot


class SessionDatabase(Protocol):
    """The database of a session; `embedded` is None for a server."""

    @property
    def dsn(self) -> str: ...

    @property
    def embedded(self) -> EmbeddedPostgres | None: ...

    def connection(self) -> AbstractAsyncContextManager[asyncpg.Connection]: ...


@dataclass(frozen=True, slots=True)
class Task:
    """The crawl or watch that was asked for."""

    goal: Goal
    data: Path
    log: Path | None = None  # None: worker logs go to standard error
    is_kept: bool = True  # False: the data directory is thrown away afterwards
    robots_notice: str | None = None  # why robots.txt is not obeyed; None: it is

    @property
    def title(self) -> str:
        first, *others = self.goal.names
        return first if not others else f"{first} and {len(others):,} more"


class SessionWatcher(Protocol):
    """The caller's part in a session: shows its progress and interrupts it."""

    @property
    def is_stopped(self) -> bool:
        """Whether it interrupted the session twice."""

    @property
    def lines_lost(self) -> int:
        """How many log lines could not be written."""

    def attached(self, session: Session) -> AbstractContextManager[None]:
        """Entered before the session starts, left before its last figures are read."""

    def begin(self, start: StartedCrawl) -> None: ...

    def show(self, snapshot: Snapshot) -> None: ...

    def silent(self) -> None:
        """The database does not answer."""


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The result of a session."""

    task: Task
    ending: CrawlEnding
    start: StartedCrawl
    snapshot: Snapshot
    is_stopped: bool  # interrupted twice
    lines_lost: int  # log lines that could not be written


async def run_session(
    database: SessionDatabase,
    settings: Settings,
    goal: Goal,
    watcher_of: Callable[[Task], SessionWatcher],
    *,
    log: Path | None = None,
    is_kept: bool = True,
) -> SessionResult:
    """Run workers until the goal is reached or the watcher interrupts.

    Raises Unavailable if the database does not come back, or if the workers fail one after another.
    """
    async with database.connection() as db:
        notice = await robots_notice(db, settings, goal)
    task = Task(goal, settings.database.data_dir, log, is_kept, notice)
    watcher = watcher_of(task)
    session = Session(settings, database.dsn, goal, watcher.silent, database.embedded)
    try:
        with watcher.attached(session):
            result = await session.run(watcher.begin, watcher.show)
        if result.ending is CrawlEnding.UNAVAILABLE:
            raise Unavailable(
                "the database stopped answering and did not come back; nothing that was written is lost"
            )
        if result.ending is CrawlEnding.WORKERS_FAIL:
            raise Unavailable(_workers_fail(result.error, log))
        last = await session.final_snapshot(result.start)
        return SessionResult(task, result.ending, result.start, last, watcher.is_stopped, watcher.lines_lost)
    finally:
        await session.close()


def stopped(last: Snapshot) -> str:
    """The message after a second interrupt."""
    return f"stopped; {plural(last.totals.pending, 'URL is', 'URLs are')} queued and not lost"


def _workers_fail(error: str | None, log: Path | None) -> str:
    """The message for workers that fail at their start."""
    why = error or "they logged no error"
    where = f" ({log} has their output)" if log else ""
    return f"the workers fail one after another: {why}{where}; nothing that was written is lost"
