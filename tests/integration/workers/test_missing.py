"""A worker without heartbeats is reported once."""

import asyncio

import pytest
from tests.support.make import Operator

from outrider.events.catalogue import EventKind
from outrider.events.log import read_events
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.missing import report_missing


@pytest.fixture
async def operator(database):
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


async def _worker(operator, silent_s: float) -> int:
    """A worker whose last heartbeat is so old."""
    worker_id = await operator.run(lambda db: WorkerRegistry().register(db, "elsewhere", 7))
    figures = {"name": "crawler-a", "urls": ["http://a.test/"]}
    await operator.run(lambda db: WorkerRegistry().record_heartbeat(db, worker_id, figures))
    await operator.run(
        lambda db: db.execute(
            "UPDATE worker SET beat_at = now() - $2::float8 * interval '1 second' WHERE worker_id = $1",
            worker_id,
            silent_s,
        )
    )
    return worker_id


async def _events(operator):
    """The events, once no transaction of another test on this server is older than they are."""
    count = "SELECT count(*) FROM event_log WHERE kind = $1"
    written = await operator.run(lambda db: db.fetchval(count, EventKind.WORKER_MISSING))
    async with asyncio.timeout(30):
        while True:
            found = (
                await operator.run(lambda db: read_events(db, None, kinds=[EventKind.WORKER_MISSING]))
            ).events
            if len(found) >= written:
                return found
            await asyncio.sleep(0.05)


async def test_a_worker_that_is_missing_for_two_minutes_is_reported_once(operator):
    missing, _slow = await _worker(operator, 121), await _worker(operator, 110)

    assert await operator.run(report_missing) == 1
    assert await operator.run(report_missing) == 0

    [event] = await _events(operator)
    assert (event.subject_id, event.payload["name"], event.payload["pid"]) == (str(missing), "crawler-a", 7)
    assert event.payload["urls"] == ["http://a.test/"]


async def test_a_worker_that_came_back_and_is_missing_again_is_reported_again(operator):
    worker_id = await _worker(operator, 121)
    await operator.run(report_missing)
    await operator.run(lambda db: WorkerRegistry().record_heartbeat(db, worker_id, {}))
    assert await operator.run(report_missing) == 0
    await operator.run(lambda db: db.execute("UPDATE worker SET beat_at = now() - interval '3 minutes'"))

    assert await operator.run(report_missing) >= 1
    assert [event.subject_id for event in await _events(operator)].count(str(worker_id)) == 2


async def test_a_worker_that_stopped_or_is_gone_for_long_is_not_reported(operator):
    stopped = await _worker(operator, 121)
    await operator.run(lambda db: WorkerRegistry().record_stop(db, stopped))
    await _worker(operator, 4_000)

    assert await operator.run(report_missing) == 0
    assert await _events(operator) == []
