"""Replay, then follow: every line once, across workers, notifications that get lost, and restarts."""

import asyncio
import os
import signal
from contextlib import suppress

import asyncpg
import pytest
from tests.support.embedded import QUICK, within
from tests.support.make import Operator

from outrider.crawl.seeds import start
from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidInput, NotFound, Unavailable
from outrider.events.listen import EventListener
from outrider.frontier.stats import StatsStore
from outrider.object_store.file_store import FileStore
from outrider.run_logs.archive import finish_log
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.position import LogPosition
from outrider.run_logs.reader import RunLogReader, follow
from outrider.run_logs.store import CHANNEL, LogFilter
from outrider.run_logs.writer import RunLogWriter
from outrider.sources.policy import Policy

NEVER_S = 1000.0  # no test takes so long: what happens was not a poll


def say(writer, run, *messages, level=LineLevel.INFO):
    for message in messages:
        writer.write(run.run_id, level, LogCategory.FETCH, message)


async def collect(batches, enough):
    """Messages until there are enough, or until the log ends."""
    found = []
    async for batch in batches:
        found += [line.message for line in batch.lines]
        if len(found) >= enough:
            return found
    return found


@pytest.fixture
def deaf(database):
    """A listener that hears nothing: readers look by themselves."""
    return EventListener(database, application_name="never runs", channel=CHANNEL)


async def test_replay_shows_the_last_lines(reader, run, make_writer):
    writer = make_writer()
    say(writer, run, *(f"{number}" for number in range(300)))
    await writer.write_all()

    batch = await reader.replay(run.run_id)
    few = await reader.replay(run.run_id, last=3)
    rest = await reader.replay(run.run_id, after=LogPosition(run.run_id, 299))

    assert [line.message for line in batch.lines] == [f"{number}" for number in range(100, 300)]
    assert [line.message for line in few.lines] == ["297", "298", "299"]
    assert [line.message for line in rest.lines] == ["298", "299"]
    assert batch.position == LogPosition(run.run_id, 301)


async def test_a_follower_sees_every_line_of_several_workers_once(reader, run, make_writer, deaf):
    writers = [make_writer() for _ in range(3)]
    following = asyncio.create_task(collect(follow(reader, run.run_id, deaf, poll_s=0.001), 301))

    async def work(number, writer):
        for each in range(100):
            say(writer, run, f"{number}.{each}")
            if each % 7 == 0:
                await writer.write_all()
        await writer.write_all()

    await asyncio.gather(*(work(number, writer) for number, writer in enumerate(writers)))
    found = await following

    assert found[0] == "run started"
    for number in range(3):
        own = [message for message in found if message.startswith(f"{number}.")]
        assert own == [f"{number}.{each}" for each in range(100)]
    assert len(found) == 301


async def test_a_notification_wakes_a_follower_that_would_never_look_by_itself(
    reader, run, make_writer, database
):
    listener = EventListener(database, application_name="test listener", channel=CHANNEL)
    wakeup = listener.wakeup
    listening = asyncio.create_task(listener.run())
    await wakeup.wait()
    batches = follow(reader, run.run_id, listener, poll_s=NEVER_S)
    following = asyncio.create_task(collect(batches, 3))
    writer = make_writer()
    for message in "ab":
        say(writer, run, message)
        await writer.write_all()

    assert await following == ["run started", "a", "b"]
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening


async def test_a_follower_goes_on_after_its_position(reader, run, make_writer, deaf):
    writer = make_writer()
    say(writer, run, *"abcd")
    await writer.write_all()
    found, position = [], None
    for _ in range(3):  # a follower that is started again after every two lines
        batches = follow(reader, run.run_id, deaf, position or LogPosition(run.run_id, 0), poll_s=0.001)
        batch = await reader.read(run.run_id, position, most=2)
        found += [line.message for line in batch.lines]
        position = batch.position
        await batches.aclose()

    assert found == ["run started", *"abcd"]


async def test_a_follower_ends_with_the_log(reader, run, make_writer, deaf, end_run, connection, objects):
    writer = make_writer()
    say(writer, run, "a")
    await writer.write_all()
    following = asyncio.create_task(collect(follow(reader, run.run_id, deaf, poll_s=0.001), 100))
    await end_run(run)
    await finish_log(connection, objects, run.run_id)

    found = await following
    assert found[:2] == ["run started", "a"]
    assert found[2].startswith("run completed")


async def test_a_reader_gets_the_levels_and_categories_it_wants(reader, run, make_writer):
    writer = make_writer()
    say(writer, run, "info")
    say(writer, run, "bad", level=LineLevel.ERROR)
    writer.write(run.run_id, LineLevel.ERROR, LogCategory.QUEUE, "queue")
    await writer.write_all()

    errors = await reader.read(run.run_id, None, wanted=LogFilter(LineLevel.WARN))
    queue = await reader.read(run.run_id, None, wanted=LogFilter(LineLevel.WARN, (LogCategory.QUEUE,)))

    assert [line.message for line in errors.lines] == ["bad", "queue"]
    assert [line.message for line in queue.lines] == ["queue"]
    assert queue.position == LogPosition(run.run_id, 4)


async def test_a_position_of_another_run_is_refused(reader, run):
    with pytest.raises(InvalidInput, match=f"position 999-1 belongs to run 999, and not to run {run.run_id}"):
        await reader.read(run.run_id, LogPosition(999, 1))


async def test_an_unknown_run_is_named(reader):
    with pytest.raises(NotFound, match="there is no run 4711"):
        await reader.replay(4711)


async def test_a_position_that_the_log_has_not_reached_gets_one_reset(reader, run, make_writer, deaf):
    """The database was set back to an older backup."""
    writer = make_writer()
    say(writer, run, "a")
    await writer.write_all()
    batches = follow(reader, run.run_id, deaf, LogPosition(run.run_id, 40), poll_s=0.001)

    reset = await anext(batches)
    batch = await anext(batches)

    assert (reset.is_kept, list(reset.lines)) == (False, [])
    assert [line.message for line in batch.lines] == ["run started", "a"]
    assert batch.is_kept


@pytest.mark.timeout(120)
async def test_writers_and_followers_survive_kills_of_postgresql(data_dir):
    with EmbeddedPostgres(data_dir, QUICK) as server:
        db = await asyncpg.connect(server.dsn)
        await migrate.up(db)
        await db.close()
        operator = await Operator.enter(server.dsn)
        policy = Policy(seeds=("http://example.com/",))
        begun = await operator.run(lambda db: start(db, policy, operator.store, StatsStore()))
        run = begun.run
        connections = [ReconnectingConnection(server.dsn, application_name="test") for _ in range(3)]
        writers = [RunLogWriter(each, RunLogOptions()) for each in connections[:2]]
        reader = RunLogReader(connections[2], FileStore(data_dir / "archive"), patience_s=60)
        listener = EventListener(server.dsn, application_name="never runs", channel=CHANNEL)
        batches = follow(reader, run.run_id, listener, poll_s=0.01)
        following = asyncio.create_task(collect(batches, 401))

        async def work(number, writer):
            for each in range(200):
                say(writer, run, f"{number}.{each}")
                with suppress(Unavailable):
                    await writer.write_all()
            while writer.held:
                with suppress(Unavailable):
                    await writer.write_all()
                await asyncio.sleep(0.01)

        async def kill():
            for _ in range(2):
                await asyncio.sleep(0.1)
                process = postmaster.find(data_dir / "database" / "data")
                os.kill(process.pid, signal.SIGKILL)
                await asyncio.to_thread(within, 60, server.ensure_running)

        await asyncio.gather(kill(), *(work(*each) for each in enumerate(writers)))
        found = await following
        for connection in [*connections, operator.connection]:
            await connection.close()

    assert len(found) == len(set(found)) == 401
    for number in range(2):
        own = [message for message in found if message.startswith(f"{number}.")]
        assert own == [f"{number}.{each}" for each in range(200)]
