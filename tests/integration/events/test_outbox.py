"""The outbox alone, without any Valkey: every event has its effect, once."""

import asyncio
from datetime import timedelta

from tests.support.make import Operator

from outrider.events.once import handle_once
from outrider.events.outbox import handle_waiting
from outrider.events.store import KEPT_S, EventStore
from outrider.sources.source_changes import read_changes


async def add(operator, source_service, *names):
    for name in names:
        changes = read_changes({"url": f"https://{name}.test/", "name": name}).checked()
        await operator.run(lambda db, changes=changes: source_service.add(db, changes))


async def written(operator):
    return [
        row["event_id"]
        for row in await operator.run(
            lambda db: db.fetch("SELECT event_id FROM source_event ORDER BY number")
        )
    ]


async def test_what_happened_has_its_effect_in_order_and_once(operator, connection, source_service, tally):
    await add(operator, source_service, "a", "b", "c")

    assert await handle_waiting(connection, tally.handle) == 3
    assert await handle_waiting(connection, tally.handle) == 0

    assert await tally.effects() == await written(operator)


async def test_a_failing_handler_leaves_no_trace_and_is_tried_again(
    operator, connection, source_service, tally
):
    await add(operator, source_service, "a", "b")
    tally.fails = True

    assert await handle_waiting(connection, tally.handle) == 2
    assert await tally.effects() == []
    tally.fails = False
    await handle_waiting(connection, tally.handle)

    assert await tally.effects() == await written(operator)


async def test_two_workers_at_once_have_every_effect_once(
    operator, connection, source_service, tally, database
):
    await add(operator, source_service, *"abcdefghij")
    other = await Operator.enter(database)

    await asyncio.gather(
        handle_waiting(connection, tally.handle),
        handle_waiting(other.connection, tally.handle),
    )
    await handle_waiting(connection, tally.handle)
    await other.connection.close()

    assert sorted(await tally.effects()) == sorted(await written(operator))


async def test_an_event_that_came_by_the_other_way_before_has_no_second_effect(
    operator, connection, source_service, tally
):
    await add(operator, source_service, "a")
    store = EventStore()
    _, event = await operator.run(lambda db: store.next_unhandled(db, 0))
    await operator.run(lambda db: handle_once(db, store, event, tally.handle))

    assert await handle_waiting(connection, tally.handle) == 1

    assert await tally.effects() == [event.event_id]


async def test_events_are_forgotten_a_month_after_their_effect(operator, connection, source_service, tally):
    await add(operator, source_service, "old", "new")
    await handle_waiting(connection, tally.handle)
    await add(operator, source_service, "waiting")
    _, new, waiting = await written(operator)
    month = timedelta(seconds=KEPT_S + 60)
    age_event = "UPDATE source_event SET handled_at = handled_at - $1::interval WHERE event_id <> $2"
    age_memory = "UPDATE processed_events SET processed_at = processed_at - $1::interval WHERE event_id <> $2"
    for age in (age_event, age_memory):
        await operator.run(lambda db, age=age: db.execute(age, month, new))

    await operator.run(EventStore().forget_old)

    assert await written(operator) == [new, waiting]
    assert [row["event_id"] for row in await operator.run(lambda db: db.fetch("TABLE processed_events"))] == [
        new
    ]
