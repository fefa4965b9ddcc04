"""The heartbeat of a worker in a real Valkey."""

import json
from types import SimpleNamespace

import pytest
from tests.support.redis_server import RedisServer

from outrider.redis.connect import connect
from outrider.workers.figures import LONGEST_URL
from outrider.workers.redis_heartbeat import ACTIVE, LIVES_S, PREFIX, RedisHeartbeat


@pytest.fixture
async def client(redis_server: RedisServer):
    opened = connect(redis_server.options)
    yield opened
    await opened.aclose()


def _heartbeat(redis_server: RedisServer, name: str, *urls: str) -> RedisHeartbeat:
    context = SimpleNamespace(stopping=False, in_flight=len(urls), current_urls=dict(enumerate(urls)))
    return RedisHeartbeat(redis_server.options, name, context)


async def test_a_heartbeat_says_what_the_worker_does_and_expires(redis_server, client):
    worker = _heartbeat(redis_server, "a", "http://a.test/" + "x" * 1_000)
    await worker.beat()

    said = json.loads(await client.get(PREFIX + "a"))
    assert set(said) == {"lastHeartbeat", "status", "currentUrl"}
    assert said["status"] == "working"
    assert said["currentUrl"] == "http://a.test/" + "x" * (LONGEST_URL - 14)
    assert LIVES_S / 2 < await client.ttl(PREFIX + "a") <= LIVES_S
    assert await client.smembers(ACTIVE) == {b"a"}
    await worker.leave()


async def test_ids_without_a_heartbeat_leave_the_list(redis_server, client):
    dead, live = _heartbeat(redis_server, "dead"), _heartbeat(redis_server, "live")
    await dead.beat()
    await live.beat()
    assert await client.smembers(ACTIVE) == {b"dead", b"live"}
    await client.delete(PREFIX + "dead")  # as after its lifetime

    await live.beat()

    assert await client.smembers(ACTIVE) == {b"live"}
    await live.leave()
    assert (await client.smembers(ACTIVE), await client.get(PREFIX + "live")) == (set(), None)
    await dead.leave()


async def test_a_redis_that_is_away_disturbs_no_worker(redis_server, client):
    worker = _heartbeat(redis_server, "a")
    redis_server.stop()
    await worker.beat()
    redis_server.start()

    await worker.beat()

    assert await client.smembers(ACTIVE) == {b"a"}
    redis_server.stop()
    await worker.leave()
