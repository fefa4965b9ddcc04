"""A lane: one leased host, its URLs one after another, then the host goes back."""

import asyncpg
import structlog

from outrider.crawl.decide import Dead
from outrider.crawl.desk import Desk
from outrider.crawl.ledger import completion_of
from outrider.crawl.turn import Turn
from outrider.crawl.visit import Visit
from outrider.errors import Unavailable
from outrider.frontier.lease import Lease
from outrider.frontier.model import Entry
from outrider.frontier.store import Release
from outrider.hosts.breaker import batch_limit

log = structlog.get_logger(__name__)

POISON = Dead("poison")


async def work(lease: Lease, desk: Desk) -> None:
    """Visit the URLs of one host until they, the lease or our patience end; then release it."""
    turn = Turn(lease, desk)
    most = 1 if lease.probation else batch_limit(turn.state, len(lease.entries))
    try:
        for entry in lease.entries[:most]:
            if not await _visit(entry, turn, desk):
                break
    except Unavailable as error:
        log.warning("lane ends early", host=lease.host, error=str(error))
    finally:
        if not turn.is_lost:
            desk.flusher.release(Release(lease, turn.state, turn.wait_s))


async def _visit(entry: Entry, turn: Turn, desk: Desk) -> bool:
    visit = Visit(entry, await desk.plans.of(entry.source_id), turn, desk)
    if not turn.lease.probation:
        return await visit.run()
    # A worker died on this host. One suspect at a time in this process, its name on
    # record first: should it take us down too, the next claim knows whom to blame.
    async with desk.alone:
        blame = await _accuse(entry, turn, desk)
        if blame is None:
            turn.is_lost = True
            return False
        if blame >= desk.frontier.options.blame_limit:
            log.error("url parked: it takes its worker down", url=entry.url, times=blame)
            desk.flusher.batch.complete(completion_of(entry, None, reason=POISON.reason))
            return True
        return await visit.run()


async def _accuse(entry: Entry, turn: Turn, desk: Desk) -> int | None:
    async def accuse(db: asyncpg.Connection) -> int | None:
        return await desk.frontier.accuse(db, turn.lease, entry.key)

    return await desk.line.run(accuse, patience_s=10)
