"""Carries out a rebalance: the plan of `rebalance.py` on the jobs of the database (BAL-07, BAL-08)."""

from dataclasses import dataclass

import asyncpg

from outrider.jobs.rebalance import RebalancePlan, plan_rebalance
from outrider.jobs.store import JobStore
from outrider.jobs.transitions import move


@dataclass(frozen=True, slots=True)
class Rebalance:
    """A plan, and how many jobs were moved by it."""

    plan: RebalancePlan
    jobs_updated: int


async def preview(db: asyncpg.Connection) -> Rebalance:
    """What `rebalance` would do now. Locks and changes nothing."""
    jobs = JobStore()
    now = await jobs.now(db)
    return Rebalance(plan_rebalance(await jobs.slot_entries(db), now), 0)


async def rebalance(db: asyncpg.Connection) -> Rebalance:
    """Move jobs. All jobs with a next run are locked, so that the plan still holds when it is applied.

    The caller opens the transaction, and schedulers wait for it.
    """
    jobs = JobStore()
    entries = await jobs.locked_slot_entries(db)
    now = await jobs.now(db)
    plan = plan_rebalance(entries, now)
    before = await jobs.all_locked(db, [each.job_id for each in plan.moves])
    await jobs.save_all(
        db, [move(job, each.to_time, now) for job, each in zip(before, plan.moves, strict=True)]
    )
    await jobs.record_rebalance(db, moved=len(plan.moves), skipped=len(plan.skipped))
    return Rebalance(plan, len(plan.moves))
