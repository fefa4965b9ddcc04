"""Makes sure that every enabled source has a running job, and repairs what lost events left (SRC-13)."""

from collections import Counter
from dataclasses import dataclass

import asyncpg

from outrider.errors import OutriderError
from outrider.jobs.effects import Effect
from outrider.jobs.follow import Follower
from outrider.jobs.model import PausedBy
from outrider.jobs.schedule import stagger
from outrider.jobs.store import JobStore
from outrider.sources.store import SourceStore

EVERY_PAUSE = frozenset(PausedBy)


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
    """Reconcile every source in its own transaction. First runs are spread over the interval of the job.

    Jobs that removed sources left behind are removed.
    """
    follower, sources = Follower(is_balanced=is_balanced), SourceStore()
    done, errors = Counter[Effect](), []
    watched = await sources.all_watched(db)
    for source_id, name, is_enabled in watched:
        try:
            async with db.transaction():
                effect = await follower.follow(
                    db,
                    source_id,
                    first_run=lambda source, plan: stagger(source.public_id, plan.every),
                    resumes=EVERY_PAUSE,
                )
        except (OutriderError, asyncpg.PostgresError, ValueError) as error:
            errors.append(f"{name}: {error}")
            continue
        if is_enabled:
            done[effect] += 1
    for source_id in await JobStore().removed_sources(db):
        async with db.transaction():
            await follower.follow(db, source_id)
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
