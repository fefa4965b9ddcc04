"""Whatever people do to sources and jobs, all at once, with others talking nonsense: in the end jobs fit."""

import asyncio
import random

from tests.support.events import event

from outrider.errors import Conflict, NotFound
from outrider.events.model import EventType
from outrider.events.outbox import handle_waiting
from outrider.jobs.effects import Effect, decide
from outrider.jobs.follow import Follower
from outrider.jobs.model import PausedBy
from outrider.jobs.operate import job_of, pause, resume
from outrider.jobs.store import JobStore
from outrider.sources.store import SourceStore

NAMES, DEEDS = [f"n{number}" for number in range(5)], 60


async def do_something(worker_context, dice: random.Random) -> None:
    name = dice.choice(NAMES)
    deed = dice.choice(
        [
            worker_context.watch,
            worker_context.edit,
            worker_context.disable,
            worker_context.enable,
            worker_context.remove,
            pause,
            resume,
        ]
    )
    said = (
        {"priority": str(dice.randint(1, 10))} if deed in (worker_context.watch, worker_context.edit) else {}
    )
    try:
        if deed in (pause, resume):
            source = await worker_context.source(name)
            await worker_context.run(lambda db: _of_job(db, deed, source))
        else:
            await deed(name, **said)
    except (Conflict, NotFound):
        return  # it was in no state for that


async def _of_job(db, deed, source):
    return await deed(db, (await job_of(db, source)).job_id)


async def talk_nonsense(worker_context, dice: random.Random) -> None:
    sources = await worker_context.run(SourceStore().all_watched)
    if sources:
        rumour = event(dice.choice(list(EventType)), source_id=dice.choice(sources)[0])
        await worker_context.run(lambda db: Follower().handle(db, rumour))


async def misfits(worker_context) -> list[tuple[str, Effect]]:
    """Sources, removed ones as well, whose job should be different."""

    async def look(db):
        found = []
        for row in await db.fetch("SELECT public_id, name FROM source WHERE kind = 'watch'"):
            source = await SourceStore().by_public_id(db, row["public_id"])
            job = await JobStore().of_source(db, row["public_id"])
            found.append(
                (row["name"], decide(source, job and job.job, resumes=frozenset((PausedBy.SOURCE,))))
            )
        return found

    return [(name, effect) for name, effect in await worker_context.run(look) if effect is not Effect.NOTHING]


async def test_after_any_history_every_job_fits_its_source(worker_context, other_worker_context):
    dice = random.Random(7)

    async def people(at) -> None:
        for _ in range(DEEDS):
            await do_something(at, dice)

    async def workers(at) -> None:
        for _ in range(DEEDS // 4):
            await handle_waiting(at.operator.connection, Follower().handle)
            await talk_nonsense(at, dice)

    await asyncio.gather(
        people(worker_context),
        people(other_worker_context),
        workers(worker_context),
        workers(other_worker_context),
    )
    await worker_context.follow()

    assert await misfits(worker_context) == []
    rows = await worker_context.run(
        lambda db: db.fetch(
            "SELECT event_id FROM source_event e WHERE handled_at IS NULL "
            "OR NOT EXISTS (SELECT FROM processed_events p WHERE p.event_id = e.event_id)"
        )
    )
    assert rows == []
