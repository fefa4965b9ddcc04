"""The Redis stream of a log: the same lines at the same positions, and PostgreSQL whenever Redis is away."""

import asyncio
import json

import pytest

from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.listen import EventListener
from outrider.redis.connect import connect
from outrider.run_logs.archive import finish_log
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.position import LogPosition
from outrider.run_logs.reader import follow
from outrider.run_logs.redis_stream import RedisCopy, RedisFollower, copy_once, stream_of
from outrider.run_logs.store import CHANNEL, RunLogStore
from outrider.run_logs.writer import RunLogWriter


@pytest.fixture
async def client(redis_server):
    async with connect(redis_server.options) as opened:
        yield opened


@pytest.fixture
async def names(connection, run):
    return await connection.run(lambda db: RunLogStore().names(db, run.run_id))


@pytest.fixture
async def make_copying_writer(database, redis_server):
    made = []

    def make():
        connection = ReconnectingConnection(database, application_name="test writer")
        copy = RedisCopy(connection, redis_server.options)
        made.append((connection, copy))
        return RunLogWriter(connection, RunLogOptions(), copy=copy), copy

    yield make
    for connection, copy in made:
        await copy.close()
        await connection.close()


@pytest.fixture
async def live(redis_server, names):
    follower = RedisFollower(redis_server.options, names)
    yield follower
    await follower.close()


def say(writer, run, *messages):
    for message in messages:
        writer.write(run.run_id, LineLevel.INFO, LogCategory.FETCH, message)


async def in_stream(client, names):
    return [
        (entry_id.decode(), json.loads(fields[b"line"]))
        for entry_id, fields in await client.xrange(stream_of(names))
    ]


async def test_both_stores_have_the_same_lines_at_the_same_positions(
    run, make_copying_writer, reader, client, names
):
    writer, copy = make_copying_writer()
    say(writer, run, *(f"{number}" for number in range(250)))
    await writer.write_all()
    await copy.copy_noted()

    found = await in_stream(client, names)
    lines = (await reader.read(run.run_id, None)).lines
    assert [said for _, said in found] == [line.as_json(names) for line in lines]
    assert [entry_id for entry_id, _ in found] == [str(line.position) for line in lines]
    assert 86_000 < await client.ttl(f"logs:crawl-{run.source_id}") <= 86_400


async def test_workers_that_copy_at_once_add_every_line_once_in_order(
    run, make_copying_writer, client, names
):
    pairs = [make_copying_writer() for _ in range(3)]

    async def work(number, writer, copy):
        for each in range(40):
            say(writer, run, f"{number}.{each}")
            await writer.write_all()
            await copy.copy_noted()

    await asyncio.gather(*(work(number, *pair) for number, pair in enumerate(pairs)))

    found = await in_stream(client, names)
    assert [entry_id for entry_id, _ in found] == [f"{run.run_id}-{number}" for number in range(1, 122)]


async def test_lines_of_an_outage_are_copied_afterwards(run, make_copying_writer, redis_server, names):
    writer, copy = make_copying_writer()
    say(writer, run, "before")
    await writer.write_all()
    await copy.copy_noted()
    with redis_server.frozen():
        say(writer, run, "meanwhile")
        await writer.write_all()
        await copy.copy_noted()
    say(writer, run, "after")
    await writer.write_all()
    await copy.copy_noted()

    async with connect(redis_server.options) as client:
        found = await in_stream(client, names)
    assert [said["message"] for _, said in found] == ["run started", "before", "meanwhile", "after"]


@pytest.mark.timeout(90)
async def test_a_follower_sees_every_line_once_while_redis_dies_and_comes_back_empty(
    run, make_copying_writer, reader, database, redis_server, live, connection, objects, end_run
):
    writer, copy = make_copying_writer()
    deaf = EventListener(database, application_name="never runs", channel=CHANNEL)
    seen = []
    has_some = asyncio.Event()

    async def watch():
        async for batch in follow(reader, run.run_id, deaf, poll_s=0.01, live=live):
            seen.extend(line.message for line in batch.lines)
            if "19" in seen:
                has_some.set()

    watching = asyncio.create_task(watch())

    async def write(first, last):
        for number in range(first, last):
            say(writer, run, f"{number}")
            await writer.write_all()
            await copy.copy_noted()

    await write(0, 20)
    await has_some.wait()
    redis_server.stop()
    await write(20, 23)
    redis_server.start()
    await write(23, 40)
    await end_run(run)
    await finish_log(
        connection, objects, run.run_id, lambda run_id: copy_once(connection, redis_server.options, run_id)
    )
    await watching

    assert seen[:-1] == ["run started", *(f"{number}" for number in range(40))]
    assert seen[-1].startswith("run completed")


async def test_new_lines_come_from_redis(run, make_copying_writer, reader, database, live, client, names):
    writer, copy = make_copying_writer()
    say(writer, run, "first")
    await writer.write_all()
    await copy.copy_noted()
    deaf = EventListener(database, application_name="never runs", channel=CHANNEL)
    batches = follow(reader, run.run_id, deaf, poll_s=1000, live=live)
    first = await anext(batches)
    following = asyncio.create_task(anext(batches))
    said = first.lines[-1].as_json(names) | {"position": f"{run.run_id}-3", "message": "only in Redis"}
    await client.xadd(stream_of(names), {"line": json.dumps(said)}, id=said["position"])
    batch = await following

    assert [line.message for line in first.lines] == ["run started", "first"]
    assert [line.message for line in batch.lines] == ["only in Redis"]


async def test_runs_of_one_crawl_share_a_stream_and_are_told_apart(
    make_run, end_run, make_copying_writer, client, connection, redis_server, objects
):
    writer, copy = make_copying_writer()
    ids = []
    for _ in range(2):
        run = await make_run()
        say(writer, run, "a")
        await writer.write_all()
        await copy.copy_noted()
        await end_run(run)
        await finish_log(
            connection,
            objects,
            run.run_id,
            lambda run_id: copy_once(connection, redis_server.options, run_id),
        )
        ids.append(str(run.public_id))
        names = await connection.run(lambda db, run=run: RunLogStore().names(db, run.run_id))

    found = await in_stream(client, names)
    assert [said["execution_id"] for _, said in found] == [ids[0]] * 3 + [ids[1]] * 3
    follower = RedisFollower(redis_server.options, names)
    first = found[0][0]
    lines = await follower.next_lines(LogPosition.parse(first))
    assert {line.position.run_id for line in lines} == {LogPosition.parse(first).run_id}
    await follower.close()


async def test_a_follower_skips_no_line_that_redis_lost(
    run, make_copying_writer, reader, database, live, client, names
):
    writer, _ = make_copying_writer()
    say(writer, run, "first")
    await writer.write_all()
    deaf = EventListener(database, application_name="never runs", channel=CHANNEL)
    batches = follow(reader, run.run_id, deaf, poll_s=1000, live=live)
    first = await anext(batches)
    following = asyncio.create_task(anext(batches))
    say(writer, run, *"abcd")
    await writer.write_all()
    lines = (await reader.read(run.run_id, first.position)).lines
    for line in lines[2:]:  # as if Redis had lost the two lines before
        said = json.dumps(line.as_json(names))
        await client.xadd(stream_of(names), {"line": said}, id=str(line.position))
    batch = await following

    assert [line.message for line in batch.lines] == list("abcd")
