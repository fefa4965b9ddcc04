"""The use case of `outrider crawl`: run a crawl in this process and gather what it found."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from outrider.services.crawl.findings import gather_findings
from outrider.services.crawl.session import SessionDatabase, SessionWatcher, Task, run_session
from outrider.services.crawl.summary import CrawlReport
from outrider.settings import Settings
from outrider.workers.goals import CrawlGoal


async def run_crawl(
    database: SessionDatabase,
    settings: Settings,
    goal: CrawlGoal,
    watcher_of: Callable[[Task], SessionWatcher],
    *,
    log: Path | None = None,
    is_kept: bool = True,
) -> CrawlReport:
    """Crawl to the end; raises Unavailable like `run_session`."""
    since, policy = datetime.now(UTC), goal.policy
    result = await run_session(database, settings, goal, watcher_of, log=log, is_kept=is_kept)
    async with database.connection() as db:
        gathered = await gather_findings(db, result.start.source.source_id, policy.seeds, since)
    return CrawlReport(
        result.task,
        result.ending,
        result.snapshot,
        depth=policy.depth_limit(settings.crawl.depth_cap),
        run_id=result.start.run_id,
        stopped=result.is_stopped,
        lines_lost=result.lines_lost,
        gathered=gathered,
    )
