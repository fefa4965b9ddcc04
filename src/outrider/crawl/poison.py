"""The poison guard: finding the one URL that takes its worker down, without blaming the bystanders.

After a worker dies, each of its hosts is on probation: URLs are handed out one by one. Should a
worker die there again, the host has relapsed: now one suspect at a time is fetched in this process,
its name on record first, so that the next claim knows whom to blame. Who is
blamed often enough in a row is parked as `poison`.
"""

from outrider.crawl.context import VisitContext
from outrider.crawl.records import completion_of
from outrider.crawl.turn import Turn
from outrider.crawl.visit import Visit
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import State, Stood
from outrider.logs import get_logger
from outrider.urls import UrlKey

log = get_logger()


async def visit_suspect(visit: Visit) -> bool:
    """Visit a URL of a relapsed host; False when the host should be given back first."""
    entry, turn, context = visit.entry, visit.turn, visit.context
    if not await turn.comes():  # waiting is innocent, so it is done before the accusation
        return False
    async with context.alone:
        blame = await _accuse(entry.key, turn, context)
        if blame is None:
            turn.is_lost = True
            return False
        if blame >= context.frontier.options.crash_limit:
            log.error("url parked: it takes its worker down", url=entry.url, times=blame)
            context.flusher.batch.complete(completion_of(entry, None, reason=DeadReason.POISON))
            for standing in entry.standings:
                context.flusher.batch.stand(
                    Stood(entry.key, standing.source_id, State.DEAD, DeadReason.POISON)
                )
            return True
        goes_on = await visit.run()
        await context.flusher.written()  # a page that cannot be written takes its worker down too
        await _accuse(None, turn, context)
        return goes_on


async def _accuse(key: UrlKey | None, turn: Turn, context: VisitContext) -> int | None:
    """Put a URL's name on record, or clear it; returns its blame so far, None when the lease is lost."""
    return await context.connection.run(
        lambda db: context.frontier.accuse(db, turn.lease, key), patience_s=10
    )
