"""Makes sure that every enabled source has a running job, and repairs what lost events left (SRC-13)."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import asyncpg

from outrider.errors import OutriderError, Unavailable
from outrider.jobs.effects import Effect
from outrider.jobs.follow import Follower
from outrider.jobs.model import PausedBy
from outrider.jobs.schedule import stagger
from outrider.jobs.store import JobStore
from outrider.sources.store import SourceStore

EVERY_PAUSE = frozenset(PausedBy)
PAUSES_BY_SOURCES = frozenset((PausedBy.SOURCE,))

Work = Callable[[asyncpg.Connection], Awaitable[Any]]
RunWork = Callable[[Work], Awaitable[Any]]  # runs the work in a transaction of its own


@dataclass(frozen=True, slots=True)
class ReconcileCounts:
    """The counts of a reconciliation. Each error names its source."""

    sources_seen: int
    sources_enabled: int
    created: int
    already_has_job: int
    resumed: int
    skipped_disabled: int
    errors: tuple[str, ...]


NOTHING_WATCHED = ReconcileCounts(0, 0, 0, 0, 0, 0, ())


async def reconcile(db: asyncpg.Connection, *, is_balanced: bool = True) -> ReconcileCounts:
    """Reconcile every source for an operator: jobs that an operator paused are resumed, too."""
    run = partial(_in_transaction, db)
    return await reconcile_each(run, is_balanced=is_balanced, resumes=EVERY_PAUSE)


async def reconcile_each(
    run: RunWork, *, is_balanced: bool, resumes: frozenset[PausedBy] = PAUSES_BY_SOURCES
) -> ReconcileCounts:
    """Reconcile every source in its own transaction, so that nothing waits for more than one source.

    First runs are spread over the interval of the job. Jobs that removed sources left behind are removed.
    """
    follower, sources = Follower(is_balanced=is_balanced), SourceStore()
    done, errors = Counter[Effect](), []
    watched = await run(sources.all_watched)
    for source_id, name, is_enabled in watched:
        follow = partial(
            follower.follow,
            source_id=source_id,
            first_run=lambda source, plan: stagger(source.public_id, plan.every),
            resumes=resumes,
        )
        try:
            effect = await run(follow)
        except Unavailable:
            raise
        except (OutriderError, asyncpg.PostgresError, ValueError) as error:
            errors.append(f"{name}: {error}")
            continue
        if is_enabled:
            done[effect] += 1
    for source_id in await run(JobStore().removed_sources):
        await run(partial(follower.follow, source_id=source_id))
    enabled = sum(is_enabled for _, _, is_enabled in watched)
    return ReconcileCounts(
        sources_seen=len(watched),
        sources_enabled=enabled,
        created=done[Effect.CREATE],
        already_has_job=done[Effect.NOTHING] + done[Effect.RESCHEDULE],
        resumed=done[Effect.RESUME],
        skipped_disabled=len(watched) - enabled,
        errors=tuple(errors),
    )


async def _in_transaction(db: asyncpg.Connection, work: Work) -> Any:
    async with db.transaction():
        return await work(db)
