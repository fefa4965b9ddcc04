"""Makes the job of a source follow the source: reads both, decides, and writes the change."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import asyncpg

from outrider.events.model import SourceEvent
from outrider.jobs.effects import Effect, decide
from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.jobs.schedule import JobPlan, plan_for
from outrider.jobs.store import JobStore
from outrider.logs import get_logger
from outrider.sources.model import Source
from outrider.sources.store import SourceStore

log = get_logger()

FirstRun = Callable[[Source, JobPlan], timedelta]  # the wait before the first run of a new or resumed job


class Follower:
    """Each method makes its writes on the connection it is given; the caller opens the transaction."""

    def __init__(self) -> None:
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
        job = await self._jobs.of_source(db, source_id)
        effect = decide(source, job, resumes=resumes)
        if source is not None:
            await self._apply(db, effect, source, job, first_run)
        elif job is not None:
            await self._jobs.remove(db, job)
        return effect

    async def _apply(
        self, db: asyncpg.Connection, effect: Effect, source: Source, job: Job | None, first_run: FirstRun
    ) -> None:
        plan = plan_for(source)
        match effect, job:
            case Effect.CREATE, _:
                await self._jobs.create(db, source.source_id, plan, first_run(source, plan))
            case Effect.RESCHEDULE, Job():
                await self._jobs.reschedule(db, job, plan)
            case Effect.PAUSE, Job(status=JobStatus.PAUSED):
                await self._jobs.leave_to_source(db, job)
            case Effect.PAUSE, Job():
                await self._jobs.pause(db, job, PausedBy.SOURCE)
            case Effect.RESUME, Job():
                await self._jobs.resume(db, job, plan, first_run(source, plan))
