"""Off a real stream: good messages have their effect once, bad ones are put aside, failing ones come back."""

import asyncio

import pytest
from structlog.testing import capture_logs
from tests.support.events import event, let_time_pass, put, unacknowledged
from tests.support.make import Operator

from outrider.events.consume import ABANDONED_S, Consumer
from outrider.events.model import GROUP, STREAM
from outrider.events.outbox import handle_waiting
from outrider.events.publish import Publisher
from outrider.sources.source_changes import read_changes

SOON_S = 0.01


@pytest.fixture
async def consumer(connection, redis_server, tally, client):
    consumer = Consumer(connection, redis_server.options, tally.handle, "one")
    await consumer.create_group(client)
    return consumer


@pytest.fixture
async def other(database, redis_server, tally):
    operator = await Operator.enter(database)
    yield Consumer(operator.connection, redis_server.options, tally.handle, "other")
    await operator.connection.close()


async def test_an_event_of_another_program_has_its_effect(consumer, client, tally):
    theirs = event()
    await put(client, theirs)

    assert await consumer.take(client) == 1

    assert await tally.effects() == [theirs.event_id]
    assert await unacknowledged(client) == 0


async def test_what_was_published_before_anybody_listened_is_taken(connection, redis_server, client, tally):
    early = event()
    await put(client, early)
    consumer = Consumer(connection, redis_server.options, tally.handle, "late")

    await consumer.create_group(client)
    await consumer.take(client)

    assert await tally.effects() == [early.event_id]


async def test_batches_are_of_ten(consumer, client, tally):
    for _ in range(12):
        await put(client, event())

    assert [await consumer.take(client, block_s=SOON_S) for _ in range(3)] == [10, 2, 0]
    assert len(await tally.effects()) == 12


async def test_the_same_event_twice_has_its_effect_once(consumer, client, tally):
    twice = event()
    await put(client, twice)
    await put(client, twice)

    assert await consumer.take(client) == 2

    assert await tally.effects() == [twice.event_id]
    assert await unacknowledged(client) == 0


async def test_an_own_event_from_the_stream_has_no_second_effect(
    operator, source_service, connection, redis_server, consumer, client, tally
):
    changes = read_changes({"url": "https://blatt.test/", "name": "Das Blatt"}).checked()
    await operator.run(lambda db: source_service.add(db, changes))
    await handle_waiting(connection, tally.handle)
    await Publisher(connection, redis_server.options).publish()

    assert await consumer.take(client) == 1

    assert len(await tally.effects()) == 1


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"hello": "world"}, id="something else"),
        pytest.param({"event_id": "1", "event_type": "SOURCE_CREATED"}, id="half an event"),
        pytest.param({"payload": "x" * 300_000}, id="far too much"),
    ],
)
async def test_poison_is_acknowledged_and_logged(consumer, client, tally, fields):
    good = event()
    await client.xadd(STREAM, fields)
    await put(client, good)

    with capture_logs() as lines:
        assert await consumer.take(client) == 2

    [line] = [line for line in lines if line["event"] == "message on the stream is no event"]
    assert line["log_level"] == "warning"
    assert await unacknowledged(client) == 0
    assert await tally.effects() == [good.event_id]


async def test_a_failing_handler_leaves_the_message_for_later(consumer, client, tally):
    tally.fails = True
    failing = event()
    await put(client, failing)

    await consumer.take(client)
    assert (await unacknowledged(client), await tally.effects()) == (1, [])
    assert await consumer.take(client, block_s=SOON_S) == 0, "not again at once"
    await let_time_pass(client, ABANDONED_S + 1)
    tally.fails = False
    assert await consumer.take(client) == 1

    assert (await unacknowledged(client), await tally.effects()) == (0, [failing.event_id])


async def test_what_one_left_lying_another_takes_over_after_a_while(consumer, other, client, tally):
    left = event()
    await put(client, left)
    await client.xreadgroup(GROUP, "one", {STREAM: ">"})  # and died

    assert await other.take(client, block_s=SOON_S) == 0
    await let_time_pass(client, ABANDONED_S - 1)
    assert await other.take(client, block_s=SOON_S) == 0
    await let_time_pass(client, ABANDONED_S + 1)
    assert await other.take(client) == 1

    assert (await unacknowledged(client), await tally.effects()) == (0, [left.event_id])


async def test_two_consumers_and_one_event(consumer, other, client, tally):
    """Each has it in hand, as after a takeover from somebody who was only slow."""
    only = event()
    await put(client, only)
    await put(client, only)
    await asyncio.gather(*(each.take(client, block_s=SOON_S) for each in (consumer, other)))
    await asyncio.gather(*(each.take(client, block_s=SOON_S) for each in (consumer, other)))

    assert (await unacknowledged(client), await tally.effects()) == (0, [only.event_id])


async def test_consumers_silent_for_a_day_are_deleted_unless_they_have_messages(
    consumer, other, client, monkeypatch
):
    await put(client, event())
    await client.xreadgroup(GROUP, "busy", {STREAM: ">"})
    await client.xgroup_createconsumer(STREAM, GROUP, "gone")

    await other.create_group(client)
    assert await consumers(client) == {b"busy", b"gone"}
    monkeypatch.setattr("outrider.events.consume.FORGOTTEN_S", -1.0)
    await other.create_group(client)

    assert await consumers(client) == {b"busy"}


async def consumers(client) -> set[bytes]:
    return {each["name"] for each in await client.xinfo_consumers(STREAM, GROUP)}
