"""Commands of an operator for the job of a source (JOB-05). The caller opens the transaction."""

import asyncpg

from outrider.errors import Conflict, NotFound
from outrider.jobs.model import Job, PausedBy
from outrider.jobs.schedule import plan_for
from outrider.jobs.store import JobStore
from outrider.sources.model import Source
from outrider.sources.store import SourceStore


async def job_of(db: asyncpg.Connection, source: Source) -> Job:
    """Raises NotFound while the source has no job."""
    job = await JobStore().of_source(db, source.public_id)
    if job is None:
        raise NotFound(
            f"{source.name!r} has no job: workers make one for an enabled source within seconds, "
            "and `outrider source sync` does so at once"
        )
    return job


async def pause(db: asyncpg.Connection, source: Source) -> Job:
    """Pause the job until an operator resumes it, or until the source is disabled and enabled again."""
    await SourceStore().lock(db, source.public_id)
    return await JobStore().pause(db, await job_of(db, source), PausedBy.OPERATOR)


async def resume(db: asyncpg.Connection, source: Source) -> Job:
    """Raises Conflict while the source is disabled: enabling the source resumes its job."""
    await SourceStore().lock(db, source.public_id)
    job = await job_of(db, source)
    if job.paused_by is not None and not source.enabled:
        raise Conflict(
            f"the job is paused because {source.name!r} is disabled: `outrider source enable` resumes both"
        )
    plan = plan_for(source)
    return await JobStore().resume(db, job, plan, plan.first_after)
