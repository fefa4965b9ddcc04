"""What a worker does for the event log."""

import asyncio

import asyncpg
import pytest
import structlog
from structlog.testing import capture_logs

from outrider.events import periodic_tasks as duties
from outrider.events.log import KEPT_S, write_events
from outrider.events.periodic_tasks import event_tasks, prune_all, warn_of_lag
from outrider.events.record import NewEvent

AGE = "UPDATE event_log SET at = at - $1::float8 * interval '1 second'"


async def write(db, *names):
    return await write_events(db, [NewEvent("job.started", name) for name in names])


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(duties, "log", structlog.get_logger())
    with capture_logs() as logs:
        yield logs


async def test_a_pass_removes_all_that_is_too_old(connection):
    await connection.run(lambda db: write(db, *[str(number) for number in range(7)]))
    await connection.run(lambda db: db.execute(AGE, KEPT_S + 60))
    await connection.run(lambda db: write(db, "young"))

    removed = 0
    while removed < 7:  # transactions of other tests may hold it back for a moment
        removed += await prune_all(connection)

    assert removed == 7
    assert (
        await connection.run(lambda db: db.fetchval("SELECT string_agg(subject_id, ',') FROM event_log"))
        == "young"
    )


async def test_a_forgotten_transaction_is_logged(connection, database, told):
    forgotten = await asyncpg.connect(database)
    transaction = forgotten.transaction()
    await transaction.start()
    await write(forgotten, "never committed")
    await connection.run(lambda db: write(db, "waits"))
    assert (await warn_of_lag(connection)).waiting == 1
    assert told == []
    await connection.run(lambda db: db.execute(AGE, 61.0))

    await warn_of_lag(connection)
    await transaction.rollback()
    await forgotten.close()

    (warning,) = told
    assert (warning["event"], warning["waiting"]) == ("events wait behind a transaction", 1)


async def test_every_duty_runs(connection):
    await asyncio.gather(*[duty.run() for duty in event_tasks(connection)])
