"""Jobs of a test database that are due, running or over."""

from datetime import timedelta
from typing import Any

from tests.support.make import completion

from outrider.jobs.scheduler import Scheduler

SECOND = timedelta(seconds=1)
_DUE = """
  UPDATE job SET next_run_at = now() - $1::interval, slot_at = now() - $1::interval
   WHERE status IN ('pending', 'scheduled')
"""


async def make_due(worker_context: Any, late: timedelta = SECOND) -> None:
    """What time would do: every job is due."""
    await worker_context.execute(_DUE, late)


async def open_run(worker_context: Any, **limits: Any) -> Scheduler:
    """A registered scheduler with the run of a source that follows links: its front page waits."""
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    scheduler: Scheduler = worker_context.scheduler(**limits)
    await scheduler.register()
    assert await scheduler.start_due() == 1
    return scheduler


async def finish_front_page(worker_context: Any, **outcome: Any) -> None:
    """What a worker does: the entries that wait are visited."""
    operator = worker_context.operator
    lease = await operator.claim_one()
    await operator.complete(*(completion(each, **{"retry_in_s": 3600.0} | outcome) for each in lease.entries))
    await operator.release(lease)


async def runs_of(worker_context: Any) -> list[Any]:
    """Every run, the oldest first."""
    found: list[Any] = await worker_context.run(lambda db: db.fetch("SELECT * FROM run ORDER BY run_id"))
    return found


async def settle_waiting(worker_context: Any, **outcome: Any) -> None:
    """What a worker does: every entry that is due is visited, if there is one."""
    await worker_context.execute(
        "UPDATE host SET due_at = now(), next_allowed_at = now(), lease_owner = NULL"
    )
    for lease in await worker_context.operator.claim():
        done = [completion(each, **{"retry_in_s": 3600.0} | outcome) for each in lease.entries]
        await worker_context.operator.complete(*done)
        await worker_context.operator.release(lease)
