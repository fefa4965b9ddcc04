"""A lane: visits the URLs of one leased host one after another, then releases the host."""

from outrider.crawl.in_step import in_step
from outrider.crawl.poison import visit_suspect
from outrider.crawl.shared_visit import SharedVisit
from outrider.crawl.turn import Turn
from outrider.crawl.visit import Visit
from outrider.crawl.worker_context import WorkerContext
from outrider.errors import Unavailable
from outrider.frontier.lease import Lease
from outrider.hosts.breaker import batch_limit
from outrider.logs import get_logger

log = get_logger()

CANCELLED_S = 0.5  # pause of a host whose entries belong to a cancelled run and are about to be withdrawn


async def work(lease: Lease, context: WorkerContext) -> None:
    """Visit the URLs of one host until none is left or the lane must end; then release the host."""
    turn = Turn(lease, context)
    most = 1 if lease.probation else batch_limit(turn.state, len(lease.entries))
    try:
        for entry in lease.entries[:most]:
            await in_step()
            if entry.run_id in context.runs.cancelled:
                turn.pause(CANCELLED_S)
                continue
            plan = context.plans.held(entry.source_id) or await context.plans.of(entry.source_id)
            visit = (SharedVisit if entry.interests else Visit)(
                entry, plan, turn, context, context.handlers[entry.kind]
            )
            if not await (visit_suspect(visit) if lease.relapsed else visit.run()) or turn.is_long:
                break
    except Unavailable as error:
        log.warning("lane ends early", host=lease.host, error=str(error))
    finally:
        if not turn.is_lost:
            context.flusher.release(turn.release())
