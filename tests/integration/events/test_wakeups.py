"""Readers of the log are woken by notifications, and look by themselves where those get lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import asyncpg
import pytest

from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.listen import EventListener, follow_events
from outrider.events.log import prune_events, read_events, write_events
from outrider.events.notify import CHANNEL, EventNotifier
from outrider.events.position import Position
from outrider.events.record import NewEvent

NEVER_S = 1000.0  # no test takes so long: what happens was not a poll


@pytest.fixture
async def db(database: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database)
    yield connection
    connection.terminate()


@pytest.fixture
async def listener(database: str) -> AsyncIterator[EventListener]:
    """One that listens."""
    made = EventListener(database, application_name="test listener")
    wakeup = made.wakeup
    task = asyncio.create_task(made.run())
    await wakeup.wait()
    yield made
    await end(task)


@pytest.fixture
async def notifier(connection: ReconnectingConnection) -> AsyncIterator[EventNotifier]:
    """One that runs."""
    made = EventNotifier(connection, rest_s=0.01)
    task = asyncio.create_task(made.run())
    yield made
    await end(task)


async def end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def write(db, name):
    return await write_events(db, [NewEvent("job.started", name)])


def reading(connection: ReconnectingConnection):
    async def read(after: Position | None):
        return await connection.run(lambda db: read_events(db, after, most=2))

    return read


async def collect(following, count):
    names = []
    async for batch in following:
        names += [event.subject_id for event in batch.events]
        if len(names) >= count:
            return names
    raise AssertionError("a stream of events has no end")


async def test_a_notification_wakes_a_reader_that_would_never_look_by_itself(
    db, connection, listener, notifier
):
    following = follow_events(reading(connection), listener, None, poll_s=NEVER_S)
    collecting = asyncio.create_task(collect(following, 5))

    for name in "abcde":
        notifier.written(await write(db, name))

    assert await collecting == list("abcde")


async def test_an_event_behind_a_running_transaction_is_announced_when_that_one_has_ended(
    db, database, connection, listener, notifier
):
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await write(slow, "slow")
    reads: asyncio.Queue[int] = asyncio.Queue()

    async def read(after):
        batch = await reading(connection)(after)
        reads.put_nowait(len(batch.events))
        return batch

    following = follow_events(read, listener, None, poll_s=NEVER_S)
    collecting = asyncio.create_task(collect(following, 2))
    assert await reads.get() == 0
    notifier.written(await write(db, "quick"))
    assert await reads.get() == 0, "nothing can be read before the older transaction ends"

    await transaction.commit()
    await slow.close()

    assert await collecting == ["slow", "quick"]


async def test_a_reader_without_notifications_looks_by_itself(db, connection, database):
    deaf = EventListener(database, application_name="never runs")
    following = follow_events(reading(connection), deaf, None, poll_s=0.01)
    collecting = asyncio.create_task(collect(following, 3))

    for name in "abc":
        await write(db, name)

    assert await collecting == list("abc")


async def test_a_notification_says_the_position_and_nothing_else(db, connection, notifier):
    heard: asyncio.Queue[str] = asyncio.Queue()
    await db.add_listener(CHANNEL, lambda *parts: heard.put_nowait(parts[3]))
    position = await write(db, "secret")
    notifier.written(position)

    while True:
        if Position.parse(await heard.get()) == position:
            break


async def heard_until(db, heard, last):
    """All notifications, up to one that the test sends itself."""
    await db.execute("SELECT pg_notify($1, $2)", CHANNEL, last)
    found = []
    while not found or found[-1] != last:
        found.append(await heard.get())
    return found


async def test_a_transaction_that_writes_events_does_not_notify(db):
    """The lock that NOTIFY takes at commit is never taken by a transaction that writes events."""
    heard: asyncio.Queue[str] = asyncio.Queue()
    await db.add_listener(CHANNEL, lambda *parts: heard.put_nowait(parts[3]))

    await write(db, "quiet")

    assert await heard_until(db, heard, "the end") == ["the end"]


async def test_many_writes_are_one_notification_until_the_notifier_has_rested(db, connection):
    heard: asyncio.Queue[str] = asyncio.Queue()
    await db.add_listener(CHANNEL, lambda *parts: heard.put_nowait(parts[3]))
    notifier = EventNotifier(connection, rest_s=NEVER_S)
    task = asyncio.create_task(notifier.run())
    notifier.written(await write(db, "first"))
    await heard.get()

    for number in range(50):
        notifier.written(await write(db, f"{number}"))

    assert await heard_until(db, heard, "the end") == ["the end"]
    await end(task)


async def test_a_listener_whose_connection_breaks_listens_again(db, connection, database, monkeypatch):
    monkeypatch.setattr("outrider.events.listen.RECONNECT_S", 0.01)
    listener = EventListener(database, application_name="test listener")
    first = listener.wakeup
    task = asyncio.create_task(listener.run())
    await first.wait()
    again = listener.wakeup

    await db.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'test listener' AND datname = current_database()"
    )
    await again.wait()  # readers look once, for what was announced meanwhile
    notified = listener.wakeup
    await db.execute("SELECT pg_notify($1, '')", CHANNEL)
    await notified.wait()
    await end(task)


async def test_a_reader_that_was_away_too_long_gets_a_notice_and_continues(
    db, connection, listener, notifier
):
    old = await write(db, "old")
    lost = await write(db, "lost")
    while True:  # other databases of the server may still have older transactions
        if await db.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())") > lost.xid:
            break
        await asyncio.sleep(0.005)
    async with db.transaction():
        await prune_events(db, most_kept=0)
    following = follow_events(reading(connection), listener, old, poll_s=NEVER_S)

    reset = await anext(following)
    notifier.written(await write(db, "new"))
    batch = await anext(following)

    assert (reset.is_kept, list(reset.events)) == (False, [])
    assert [event.subject_id for event in batch.events] == ["new"]
