"""`outrider watch` with a Valkey beside it: jobs come to be and run, events travel in both directions."""

import asyncio
from functools import partial
from pathlib import Path

import asyncpg
from redis.asyncio import Redis
from tests.support.command import outrider_here_meanwhile
from tests.support.crawl import Run
from tests.support.events import event, on_stream, put, unacknowledged
from tests.support.newsroom import MovableClock, Newsroom
from tests.support.publications import page
from tests.support.redis_server import RedisServer

from outrider.events.model import STREAM, EventType, SourceEvent
from outrider.redis.connect import connect


async def test_a_watch_lets_jobs_follow_sources_and_tells_others(
    database: str, redis_server: RedisServer, tmp_path: Path
):
    settings = {
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_REDIS_EVENTS": "true",
        **redis_server.environment,
    }
    outrider = partial(outrider_here_meanwhile, settings=settings)
    theirs = event()
    async with Newsroom(MovableClock()) as room, connect(redis_server.options) as client:
        room.publish("/", page("Front page"))
        await outrider("source", "add", room.origin(), "--mode", "spider", "--priority", "10", "--force")
        await put(client, theirs)
        await client.xadd(STREAM, {"not": "an event"})

        with Run(tmp_path, "watch", environment=settings) as watch:
            await _until_all_is_done(watch, database, client)
            assert watch.interrupt() == 0

        ours = [each for each in await _events(client) if each.event_id != theirs.event_id]
        assert [each.event_type for each in ours] == [EventType.CREATED]
        assert ours[0].payload["source"]["url"].rstrip("/") == room.origin()
        assert "message on the stream is no event" in watch.output()


async def _events(client: Redis) -> list[SourceEvent]:
    """What stands on the stream besides the poison."""
    await client.xdel(STREAM, *[number for number, said in await client.xrange(STREAM) if b"not" in said])
    return await on_stream(client)


async def _until_all_is_done(watch: Run, database: str, client: Redis) -> None:
    """The job has run, our event is on the stream, and nothing there is left to acknowledge."""
    db = await asyncpg.connect(database)
    while True:
        assert watch.is_running, watch.output()
        runs = await db.fetchval("SELECT runs FROM job")
        if runs and await client.xlen(STREAM) == 3 and not await _waiting(client):
            break
        await asyncio.sleep(0.1)
    await db.close()


async def _waiting(client: Redis) -> bool:
    [group] = await client.xinfo_groups(STREAM)
    return bool(group["lag"] or await unacknowledged(client))
