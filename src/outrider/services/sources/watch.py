"""The use case of `outrider watch`: keep the sources up to date in this process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.services.crawl.session import SessionDatabase, SessionResult, SessionWatcher, Task, run_session
from outrider.settings import Settings
from outrider.sources.store import SourceStore
from outrider.watch.metrics import crawl_metrics
from outrider.wording import span
from outrider.workers.watch_goal import WatchGoal


@dataclass(frozen=True, slots=True)
class WatchReport:
    """The result of a watch."""

    result: SessionResult

    @property
    def figures(self) -> Mapping[str, str | int | None]:
        """The figures in the order in which they are shown."""
        result = self.result
        snapshot, due_in_s, notice = result.snapshot, result.snapshot.next_due_in_s, result.task.robots_notice
        return {
            **({} if notice is None else {"robots_notice": notice}),
            "ended": result.ending.value,
            "polls": sum(snapshot.counted(CounterPrefix.POLLS).values()),
            "pages": snapshot.since_start(CounterName.PAGES),
            "new_documents": snapshot.since_start(CounterName.DOCUMENTS),
            "queued": snapshot.totals.pending,
            "next_due": None if due_in_s is None else f"in {span(max(due_in_s, 0.0))}",
        }

    def json_form(self) -> dict[str, Any]:
        snapshot = self.result.snapshot
        return {
            "event": "summary",
            **self.figures,
            "robots_obeyed": self.result.task.robots_notice is None,
            "metrics": crawl_metrics(snapshot.before, snapshot.totals),
        }


async def watched_addresses(db: asyncpg.Connection) -> list[str]:
    """The addresses of the sources that a watch requests."""
    return await SourceStore().addresses(db)


async def run_watch(
    database: SessionDatabase,
    settings: Settings,
    watcher_of: Callable[[Task], SessionWatcher],
    *,
    once: bool = False,
    log: Path | None = None,
) -> WatchReport:
    """Watch until it is interrupted, or with `once` until nothing is due; raises Unavailable."""
    return WatchReport(await run_session(database, settings, WatchGoal(once), watcher_of, log=log))
