"""Makes the job of a source follow the source: reads both, decides, and writes the change."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import asyncpg

from outrider.events.model import SourceEvent
from outrider.jobs.effects import Effect, decide, planned
from outrider.jobs.model import PausedBy
from outrider.jobs.placing import SlotChooser
from outrider.jobs.schedule import JobPlan, plan_for
from outrider.jobs.store import JobStore, LockedJob, NewJob
from outrider.jobs.transitions import change_interval, first_schedule, pause, resume
from outrider.logs import get_logger
from outrider.sources.model import Source
from outrider.sources.store import SourceStore

log = get_logger()

FirstRun = Callable[[Source, JobPlan], timedelta]  # the wait before the first run of a new or resumed job


class Follower:
    """Each method makes its writes on the connection it is given; the caller opens the transaction."""

    def __init__(self, *, is_balanced: bool = True) -> None:
        """`is_balanced`: a job gets the least-loaded slot; otherwise its rhythm starts now (BAL-12)."""
        self._slots = SlotChooser.for_batch(is_balanced=is_balanced)
        self._jobs = JobStore()
        self._sources = SourceStore()

    async def handle(self, db: asyncpg.Connection, event: SourceEvent) -> None:
        """Handle an event. An event about an unknown source has no effect."""
        effect = await self.follow(db, event.source_id)
        log.debug("event handled", event_type=event.event_type.value, effect=effect.value)

    async def follow(
        self,
        db: asyncpg.Connection,
        source_id: UUID,
        *,
        first_run: FirstRun = lambda _, plan: plan.first_after,
        resumes: frozenset[PausedBy] = frozenset((PausedBy.SOURCE,)),
    ) -> Effect:
        """Lock the source until the transaction ends, decide, and write the change."""
        await self._sources.lock(db, source_id)
        source = await self._sources.by_public_id(db, source_id)
        if source is None:
            return await self._remove_all(db, source_id, resumes)
        found = await self._jobs.of_source(db, source_id)
        job = None if found is None else found.job
        effect = decide(source, job, resumes=resumes)
        if found is not None:
            await self._change(db, effect, source, found)
        elif effect is Effect.CREATE:
            await self._create(db, source, first_run)
        return effect

    async def _remove_all(
        self, db: asyncpg.Connection, source_id: UUID, resumes: frozenset[PausedBy]
    ) -> Effect:
        """Remove the jobs of a removed source, those that operators added too (SRC-10, JOB-21)."""
        jobs = await self._jobs.all_of_removed(db, source_id)
        over = [job for job in jobs if decide(None, job, resumes=resumes) is Effect.REMOVE]
        for job in over:
            await self._jobs.remove(db, job)
        return Effect.REMOVE if over else Effect.NOTHING

    async def _create(self, db: asyncpg.Connection, source: Source, first_run: FirstRun) -> None:
        """The first run comes soon (SRC-11); from then on the job keeps the least-loaded slot (BAL-03)."""
        plan, now = plan_for(source), await self._jobs.now(db)
        slot = await self._slots.choose(db, plan.every.length, now)
        schedule = replace(first_schedule(plan.every, slot, now), next_run_at=now + first_run(source, plan))
        job = await self._jobs.create(
            db, NewJob(source.source_id, schedule, plan.every, plan.priority, auto_managed=True)
        )
        await self._slots.keep(db, job)

    async def _change(self, db: asyncpg.Connection, effect: Effect, source: Source, found: LockedJob) -> None:
        job, now, wanted = found.job, found.now, planned(found.job, source)
        match effect:
            case Effect.RESCHEDULE:
                slot = await self._slots.choose(db, wanted.interval, now, job)
                job = replace(change_interval(job, wanted.every, slot, now), priority=wanted.priority)
            case Effect.PAUSE if job.is_paused:
                job = replace(job, paused_by=PausedBy.SOURCE)
            case Effect.PAUSE:
                job = pause(job, PausedBy.SOURCE, now)
            case Effect.RESUME:
                job = resume(wanted, await self._slots.choose(db, wanted.interval, now, job), now)
            case _:
                return
        await self._slots.keep(db, await self._jobs.save(db, job), found.job)
