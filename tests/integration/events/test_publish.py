"""From the outbox to a real stream: in order, at least once, whatever happens to Valkey."""

import asyncio

import pytest
from structlog.testing import capture_logs
from tests.support.events import on_stream
from tests.support.make import Operator

from outrider.events.model import STREAM, EventType
from outrider.events.publish import AT_ONCE, Publisher
from outrider.sources.source_changes import read_changes

SITE = "https://blatt.test/"


@pytest.fixture
def publisher(connection, redis_server):
    return Publisher(connection, redis_server.options)


async def add(operator, source_service, name="Das Blatt", url=SITE):
    changes = read_changes({"url": url, "name": name}).checked()
    return (await operator.run(lambda db: source_service.add(db, changes))).source


async def test_what_happened_to_a_source_stands_on_the_stream_in_order(
    operator, source_service, publisher, client
):
    source = await add(operator, source_service)
    disabled = await operator.run(lambda db: source_service.disable(db, source, "sold"))
    enabled = await operator.run(lambda db: source_service.enable(db, disabled))
    await operator.run(lambda db: source_service.remove(db, enabled))

    assert await publisher.publish() == 4
    assert await publisher.publish() == 0

    stream = await on_stream(client)
    assert [event.event_type for event in stream] == [
        EventType.CREATED,
        EventType.DISABLED,
        EventType.ENABLED,
        EventType.DELETED,
    ]
    assert {event.source_id for event in stream} == {source.public_id}
    assert stream[0].payload["source"]["url"] == SITE
    assert [event.at for event in stream] == sorted(event.at for event in stream)


async def test_what_is_not_committed_is_not_on_the_stream(operator, source_service, publisher, client, pool):
    async with pool.acquire() as db:
        undone = db.transaction()
        await undone.start()
        await source_service.add(db, read_changes({"url": SITE, "name": "never was"}).checked())
        await publisher.publish()
        await undone.rollback()

    await publisher.publish()

    assert await on_stream(client) == []


async def test_more_than_one_batch_goes_in_one_pass(operator, source_service, publisher, client):
    for number in range(AT_ONCE + 5):
        await add(operator, source_service, f"n{number}", f"https://n{number}.test/")

    assert await publisher.publish() == AT_ONCE + 5
    names = [event.payload["source"]["name"] for event in await on_stream(client)]
    assert names == [f"n{number}" for number in range(AT_ONCE + 5)]


async def test_while_valkey_is_away_events_wait_and_one_line_says_so(
    operator, source_service, publisher, redis_server, client
):
    redis_server.stop()
    await add(operator, source_service)
    with capture_logs() as lines:
        assert [await publisher.publish() for _ in range(3)] == [0, 0, 0]
        redis_server.start()
        assert await publisher.publish() == 1
        assert await publisher.publish() == 0

    assert [line["event"] for line in lines] == ["redis away", "redis is back"]
    assert "nothing answers" in lines[0]["error"]
    assert len(await on_stream(client)) == 1


async def test_who_dies_before_the_commit_publishes_the_same_event_again(
    operator, source_service, publisher, client, monkeypatch
):
    await add(operator, source_service)

    async def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(publisher._store, "mark_published", die)
    with pytest.raises(KeyboardInterrupt):
        await publisher.publish()
    monkeypatch.undo()
    await publisher.publish()

    first, second = await on_stream(client)
    assert first == second


async def test_two_publishers_put_each_event_there_once(
    operator, source_service, redis_server, connection, client, database
):
    for number in range(20):
        await add(operator, source_service, f"n{number}", f"https://n{number}.test/")
    other = await Operator.enter(database)
    both = [Publisher(connection, redis_server.options), Publisher(other.connection, redis_server.options)]

    published = await asyncio.gather(*(each.publish() for each in both))
    await other.connection.close()

    assert sum(published) == 20
    assert await client.xlen(STREAM) == 20
