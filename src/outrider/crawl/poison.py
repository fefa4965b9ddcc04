"""The poison guard: finds the one URL that crashes its worker, and spares the other URLs of the host.

After a worker dies, each of its hosts is on probation: a claim hands out its URLs one by one. When a
worker dies on the host again, the host has relapsed: the worker then fetches one suspect at a time and
records its key first, so that the next claim knows which URL was in progress. A URL that was in progress
at enough crashes in a row is parked as `poison`.
"""

from outrider.crawl.context import VisitContext
from outrider.crawl.records import completion_of
from outrider.crawl.turn import Turn
from outrider.crawl.visit import Visit
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import SourceResult, State
from outrider.logs import get_logger
from outrider.urls import UrlKey

log = get_logger()


async def visit_suspect(visit: Visit) -> bool:
    """Visit a URL of a relapsed host; False when the lane should release the host first."""
    entry, turn, context = visit.entry, visit.turn, visit.context
    if not await turn.wait_until_ready():  # the wait cannot crash, so it comes before the mark
        return False
    async with context.alone:
        crashes = await _mark_in_progress(entry.key, turn, context)
        if crashes is None:
            turn.is_lost = True
            return False
        if crashes >= context.frontier.options.crash_limit:
            log.error("url parked: it takes its worker down", url=entry.url, times=crashes)
            context.flusher.batch.complete(completion_of(entry, None, reason=DeadReason.POISON))
            for interest in entry.interests:
                context.flusher.batch.add_source_result(
                    SourceResult(entry.key, interest.source_id, State.DEAD, DeadReason.POISON)
                )
            return True
        goes_on = await visit.run()
        await context.flusher.written()  # writing the page may crash the worker, too
        await _mark_in_progress(None, turn, context)
        return goes_on


async def _mark_in_progress(key: UrlKey | None, turn: Turn, context: VisitContext) -> int | None:
    """Record the URL in progress, or clear it; returns its crash count, None when the lease is lost."""
    return await context.connection.run(
        lambda db: context.frontier.mark_in_progress(db, turn.lease, key), patience_s=10
    )
