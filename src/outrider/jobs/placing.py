"""Chooses the slot of a job from the jobs that the database knows (BAL-03, BAL-13)."""

from datetime import datetime, timedelta

import asyncpg

from outrider.jobs.slots import place
from outrider.jobs.store import JobStore


async def slot_for(
    db: asyncpg.Connection,
    interval: timedelta | None,
    now: datetime,
    but: int | None = None,
    *,
    is_balanced: bool = True,
) -> datetime:
    """The start of the least-loaded slot. `but` is the job itself, which does not count.

    Without load balancing the rhythm starts now (BAL-12).
    """
    if not is_balanced:
        return now
    entries = await JobStore().slot_entries(db)
    return place((each for each in entries if each.job_id != but), interval, now)
