"""The outbox alone, without any Valkey: every event has its effect, once."""

import asyncio
from datetime import timedelta

from tests.support.make import Clerk

from outrider.events.once import handle_once
from outrider.events.outbox import work_through
from outrider.events.store import KEPT_S, EventStore
from outrider.sources.wishes import read_wishes


async def add(clerk, registry, *names):
    for name in names:
        wishes = read_wishes({"url": f"https://{name}.test/", "name": name}).checked()
        await clerk.run(lambda db, wishes=wishes: registry.add(db, wishes))


async def written(clerk):
    return [
        row["event_id"]
        for row in await clerk.run(lambda db: db.fetch("SELECT event_id FROM source_event ORDER BY number"))
    ]


async def test_what_happened_has_its_effect_in_order_and_once(clerk, line, registry, tally):
    await add(clerk, registry, "a", "b", "c")

    assert await work_through(line, tally.handle) == 3
    assert await work_through(line, tally.handle) == 0

    assert await tally.effects() == await written(clerk)


async def test_a_failing_handler_leaves_no_trace_and_is_tried_again(clerk, line, registry, tally):
    await add(clerk, registry, "a", "b")
    tally.fails = True

    assert await work_through(line, tally.handle) == 2
    assert await tally.effects() == []
    tally.fails = False
    await work_through(line, tally.handle)

    assert await tally.effects() == await written(clerk)


async def test_two_workers_at_once_have_every_effect_once(clerk, line, registry, tally, database):
    await add(clerk, registry, *"abcdefghij")
    other = await Clerk.enter(database)

    await asyncio.gather(work_through(line, tally.handle), work_through(other.line, tally.handle))
    await work_through(line, tally.handle)
    await other.line.close()

    assert sorted(await tally.effects()) == sorted(await written(clerk))


async def test_an_event_that_came_by_the_other_way_before_has_no_second_effect(clerk, line, registry, tally):
    await add(clerk, registry, "a")
    store = EventStore()
    _, event = await clerk.run(lambda db: store.next_unhandled(db, 0))
    await clerk.run(lambda db: handle_once(db, store, event, tally.handle))

    assert await work_through(line, tally.handle) == 1

    assert await tally.effects() == [event.event_id]


async def test_events_are_forgotten_a_month_after_their_effect(clerk, line, registry, tally):
    await add(clerk, registry, "old", "new")
    await work_through(line, tally.handle)
    await add(clerk, registry, "waiting")
    _, new, waiting = await written(clerk)
    month = timedelta(seconds=KEPT_S + 60)
    age_event = "UPDATE source_event SET handled_at = handled_at - $1::interval WHERE event_id <> $2"
    age_memory = "UPDATE processed_events SET processed_at = processed_at - $1::interval WHERE event_id <> $2"
    for age in (age_event, age_memory):
        await clerk.run(lambda db, age=age: db.execute(age, month, new))

    await clerk.run(EventStore().forget_old)

    assert await written(clerk) == [new, waiting]
    assert [row["event_id"] for row in await clerk.run(lambda db: db.fetch("TABLE processed_events"))] == [
        new
    ]
