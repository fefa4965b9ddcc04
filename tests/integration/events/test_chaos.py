"""Processes killed at the worst moment and a Valkey that forgets everything: every effect once, none lost."""

import asyncio
import signal
import sys

from tests.support.events import event, let_time_pass, put, unacknowledged

from outrider.events.consume import ABANDONED_S, Consumer
from outrider.events.outbox import handle_waiting
from outrider.events.publish import Publisher
from outrider.sources.source_changes import read_changes

# A consumer that is killed when the effect is committed and the acknowledgement is not yet sent.
_DOOMED = """
import asyncio, os, signal, sys
from redis.asyncio import Redis
from tests.support.events import Tally
from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.consume import Consumer
from outrider.redis.address import Address
from outrider.redis.options import RedisOptions

async def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

Redis.xack = die
connection = ReconnectingConnection(sys.argv[1], application_name="tests doomed")
options = RedisOptions(Address(path=sys.argv[2]))
asyncio.run(Consumer(connection, options, Tally(connection).handle, "doomed").run())
"""


async def until(condition) -> None:
    while not await condition():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_a_consumer_killed_between_effect_and_acknowledgement_leaves_one_effect(
    connection, redis_server, client, tally, database
):
    only = event()
    await put(client, only)

    doomed = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _DOOMED,
        database,
        str(redis_server.socket),
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert await doomed.wait() == -signal.SIGKILL
    assert (await unacknowledged(client), await tally.effects()) == (1, [only.event_id])

    successor = Consumer(connection, redis_server.options, tally.handle, "heir")
    await successor.create_group(client)
    await let_time_pass(client, ABANDONED_S + 1)
    assert await successor.take(client) == 1

    assert (await unacknowledged(client), await tally.effects()) == (0, [only.event_id])


async def test_no_effect_is_lost_when_redis_restarts_empty(
    operator, source_service, connection, redis_server, client, tally, monkeypatch
):
    monkeypatch.setattr("outrider.events.consume.REST_S", 0.01)
    consuming = asyncio.create_task(Consumer(connection, redis_server.options, tally.handle, "one").run())
    publisher = Publisher(connection, redis_server.options)

    async def add(name: str) -> None:
        changes = read_changes({"url": f"https://{name}.test/", "name": name}).checked()
        await operator.run(lambda db: source_service.add(db, changes))
        await publisher.publish()

    async def has_effects(count: int) -> bool:
        return len(await tally.effects()) == count

    await add("before")
    await until(lambda: has_effects(1))
    redis_server.stop()
    await add("meanwhile")
    await handle_waiting(connection, tally.handle)
    assert await has_effects(2), "what happens here does not depend on Valkey"
    redis_server.start()
    await add("after")
    theirs = event()
    await put(client, theirs)

    await until(lambda: has_effects(4))
    await handle_waiting(connection, tally.handle)
    consuming.cancel()

    effects = await tally.effects()
    assert len(effects) == len(set(effects)) == 4
    assert theirs.event_id in effects
