"""Runs a crawl for somebody who watches: database, session, view, signals, summary."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from outrider import logs
from outrider.cli.database import open_database
from outrider.cli.findings import Findings, gather
from outrider.cli.log_file import LogFile
from outrider.cli.output import console, errors, print_json, say
from outrider.cli.progress import JsonLines, Lines, Quiet
from outrider.cli.screen import Screen
from outrider.cli.summary import as_data, failure, summary
from outrider.cli.views import Task, View
from outrider.crawl.policy import Policy
from outrider.settings import Loaded
from outrider.workers.session import Session
from outrider.workers.snapshot import Ending, Snapshot


@dataclass(frozen=True, slots=True)
class Manner:
    """How a crawl is shown."""

    json: bool = False
    quiet: bool = False

    @property
    def is_live(self) -> bool:
        return not (self.json or self.quiet) and sys.stdout.isatty()


async def crawl_and_tell(
    loaded: Loaded, policy: Policy, manner: Manner, recrawl_age: timedelta | None = None
) -> bool:
    """Crawl, show it, say what came of it; False when it failed."""
    found = await crawl(loaded, policy, manner, recrawl_age)
    if manner.json:
        print_json(as_data(found))
    elif not found.has_failed and not manner.quiet:
        console().print(summary(found))
    if found.has_failed:
        say(failure(found))
    return not found.has_failed


async def crawl(
    loaded: Loaded, policy: Policy, manner: Manner, recrawl_age: timedelta | None = None
) -> Findings:
    """Crawl and show it."""
    settings = loaded.settings
    log = LogFile(settings.database.data_dir / "log" / "crawl.log") if manner.is_live else None
    task = Task(policy, settings.database.data_dir, log.path if log else None)
    async with _database(loaded, manner) as database:
        session = Session(settings, database.dsn, policy, database.embedded, recrawl_age=recrawl_age)
        since = datetime.now(UTC)
        try:
            with log.catch_stderr() if log else nullcontext():
                logs.set_up(settings.logs, service="crawl")
                with _view(task, manner) as view:
                    interrupts = _listen(session, view)

                    def show(snapshot: Snapshot) -> None:
                        view.show(snapshot)
                        if log is not None:
                            log.turn_over()

                    result = await session.run(view.begin, show)
            source_id = result.start.source.source_id
            snapshot = await session.final(source_id)
            async with database.connection() as db:
                gathered = await gather(db, source_id, policy.seeds, since)
        finally:
            await session.close()
    ...
