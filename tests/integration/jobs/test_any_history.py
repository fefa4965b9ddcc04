"""Whatever people do to sources and jobs, all at once, with others talking nonsense: in the end jobs fit."""

import asyncio
import random

from tests.support.events import event

from outrider.errors import Conflict, NotFound
from outrider.events.model import EventType
from outrider.events.outbox import work_through
from outrider.jobs.effects import Effect, decide
from outrider.jobs.follow import Follower
from outrider.jobs.model import PausedBy
from outrider.jobs.operate import pause, resume
from outrider.jobs.store import JobStore
from outrider.sources.store import WatchedStore

NAMES, DEEDS = [f"n{number}" for number in range(5)], 60


async def do_something(office, dice: random.Random) -> None:
    name = dice.choice(NAMES)
    deed = dice.choice(
        [office.watch, office.edit, office.disable, office.enable, office.remove, pause, resume]
    )
    said = {"priority": str(dice.randint(1, 10))} if deed in (office.watch, office.edit) else {}
    try:
        if deed in (pause, resume):
            source = await office.source(name)
            await office.run(lambda db: deed(db, source))
        else:
            await deed(name, **said)
    except (Conflict, NotFound):
        return  # it was in no state for that


async def talk_nonsense(office, dice: random.Random) -> None:
    sources = await office.run(WatchedStore().all_watched)
    if sources:
        rumour = event(dice.choice(list(EventType)), source_id=dice.choice(sources)[0])
        await office.run(lambda db: Follower().handle(db, rumour))


async def misfits(office) -> list[tuple[str, Effect]]:
    """Sources, removed ones as well, whose job should be different."""

    async def look(db):
        found = []
        for row in await db.fetch("SELECT public_id, name FROM source WHERE kind = 'watch'"):
            source = await WatchedStore().by_public_id(db, row["public_id"])
            job = await JobStore().of_source(db, row["public_id"])
            found.append((row["name"], decide(source, job, resumes=frozenset((PausedBy.SOURCE,)))))
        return found

    return [(name, effect) for name, effect in await office.run(look) if effect is not Effect.NOTHING]


async def test_after_any_history_every_job_fits_its_source(office, other_office):
    dice = random.Random(7)

    async def people(at) -> None:
        for _ in range(DEEDS):
            await do_something(at, dice)

    async def workers(at) -> None:
        for _ in range(DEEDS // 4):
            await work_through(at.clerk.line, Follower().handle)
            await talk_nonsense(at, dice)

    await asyncio.gather(people(office), people(other_office), workers(office), workers(other_office))
    await office.follow()

    assert await misfits(office) == []
    rows = await office.run(
        lambda db: db.fetch(
            "SELECT event_id FROM source_event e WHERE handled_at IS NULL "
            "OR NOT EXISTS (SELECT FROM processed_events p WHERE p.event_id = e.event_id)"
        )
    )
    assert rows == []
