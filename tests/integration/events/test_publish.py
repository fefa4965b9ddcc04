"""From the outbox to a real stream: in order, at least once, whatever happens to Valkey."""

import asyncio

import pytest
from structlog.testing import capture_logs
from tests.support.events import on_stream
from tests.support.make import Clerk

from outrider.events.model import STREAM, EventType
from outrider.events.publish import AT_ONCE, Publisher
from outrider.sources.wishes import read_wishes

SITE = "https://blatt.test/"


@pytest.fixture
def publisher(line, valkey):
    return Publisher(line, valkey.options)


async def add(clerk, registry, name="Das Blatt", url=SITE):
    wishes = read_wishes({"url": url, "name": name}).checked()
    return (await clerk.run(lambda db: registry.add(db, wishes))).source


async def test_what_happened_to_a_source_stands_on_the_stream_in_order(clerk, registry, publisher, client):
    source = await add(clerk, registry)
    disabled = await clerk.run(lambda db: registry.disable(db, source, "sold"))
    enabled = await clerk.run(lambda db: registry.enable(db, disabled))
    await clerk.run(lambda db: registry.remove(db, enabled))

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


async def test_what_is_not_committed_is_not_on_the_stream(clerk, registry, publisher, client, pool):
    async with pool.acquire() as db:
        undone = db.transaction()
        await undone.start()
        await registry.add(db, read_wishes({"url": SITE, "name": "never was"}).checked())
        await publisher.publish()
        await undone.rollback()

    await publisher.publish()

    assert await on_stream(client) == []


async def test_more_than_one_batch_goes_in_one_pass(clerk, registry, publisher, client):
    for number in range(AT_ONCE + 5):
        await add(clerk, registry, f"n{number}", f"https://n{number}.test/")

    assert await publisher.publish() == AT_ONCE + 5
    names = [event.payload["source"]["name"] for event in await on_stream(client)]
    assert names == [f"n{number}" for number in range(AT_ONCE + 5)]


async def test_while_valkey_is_away_events_wait_and_one_line_says_so(
    clerk, registry, publisher, valkey, client
):
    valkey.stop()
    await add(clerk, registry)
    with capture_logs() as lines:
        assert [await publisher.publish() for _ in range(3)] == [0, 0, 0]
        valkey.start()
        assert await publisher.publish() == 1
        assert await publisher.publish() == 0

    assert [line["event"] for line in lines] == ["valkey away", "valkey is back"]
    assert "nothing answers" in lines[0]["error"]
    assert len(await on_stream(client)) == 1


async def test_who_dies_before_the_commit_publishes_the_same_event_again(
    clerk, registry, publisher, client, monkeypatch
):
    await add(clerk, registry)

    async def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(publisher._store, "mark_published", die)
    with pytest.raises(KeyboardInterrupt):
        await publisher.publish()
    monkeypatch.undo()
    await publisher.publish()

    first, second = await on_stream(client)
    assert first == second


async def test_two_publishers_put_each_event_there_once(clerk, registry, valkey, line, client, database):
    for number in range(20):
        await add(clerk, registry, f"n{number}", f"https://n{number}.test/")
    other = await Clerk.enter(database)
    both = [Publisher(line, valkey.options), Publisher(other.line, valkey.options)]

    published = await asyncio.gather(*(each.publish() for each in both))
    await other.line.close()

    assert sum(published) == 20
    assert await client.xlen(STREAM) == 20
