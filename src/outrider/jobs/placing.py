"""Chooses slots of jobs from the jobs that the database knows (BAL-03, BAL-13)."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import asyncpg

from outrider.jobs.model import Job
from outrider.jobs.slot_times import first_free_slot, start_of
from outrider.jobs.store import JobStore

if TYPE_CHECKING:
    from outrider.jobs.slots import SlotMap

BATCH_READS = timedelta(seconds=10)  # the jobs that other processes place meanwhile are not seen


class SlotChooser:
    """Chooses the least-loaded slots. A chooser with `reads_every` reads the jobs once for a whole batch.

    Without load balancing a rhythm starts now (BAL-12).
    """

    def __init__(self, *, is_balanced: bool = True, reads_every: timedelta = timedelta()) -> None:
        self._is_balanced = is_balanced
        self._reads_every = reads_every
        self._jobs = JobStore()
        self._map: SlotMap | None = None
        self._read_at: datetime | None = None

    @classmethod
    def for_batch(cls, *, is_balanced: bool = True) -> "SlotChooser":
        """A chooser for many jobs in a row. `keep` tells it each job that was written."""
        return cls(is_balanced=is_balanced, reads_every=BATCH_READS)

    async def choose(
        self, db: asyncpg.Connection, interval: timedelta | None, now: datetime, job: Job | None = None
    ) -> datetime:
        """The start of the slot for a job with this interval. The slots of `job` as it is do not count."""
        if not self._is_balanced:
            return now
        slot_map = await self._current_map(db, now)
        entry = None if job is None else await self._jobs.slot_entry(db, job)
        if entry is None:
            return start_of(slot_map.place(interval))
        slot_map.remove(entry)
        try:
            return start_of(slot_map.place(interval))
        finally:
            slot_map.add(entry)

    async def keep(self, db: asyncpg.Connection, after: Job, before: Job | None = None) -> None:
        """Count a job in its new slot, and no longer in that of the job as it was before."""
        if self._map is None or not self._reads_every:
            return
        if before is not None and (was := await self._jobs.slot_entry(db, before)) is not None:
            self._map.remove(was)
        if (entry := await self._jobs.slot_entry(db, after)) is not None:
            self._map.add(entry)

    async def _current_map(self, db: asyncpg.Connection, now: datetime) -> "SlotMap":
        if self._map is None or not self._is_fresh(now):
            self._map = await self._jobs.slot_map(db, now)
            self._read_at = now
        return self._map

    def _is_fresh(self, now: datetime) -> bool:
        """Whether the map is young enough and its first free slot has not begun."""
        if self._read_at is None or not timedelta() <= now - self._read_at < self._reads_every:
            return False
        return first_free_slot(self._read_at) == first_free_slot(now)
