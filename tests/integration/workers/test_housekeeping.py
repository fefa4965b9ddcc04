"""Housekeeping comes once an hour and finds hosts that nothing else would wake."""

import pytest
from tests.support.make import Operator

from outrider.workers.housekeeping import EVERY_S, Housekeeping


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def test_a_lost_host_is_woken_after_an_hour_and_not_before(operator):
    await operator.queue("http://a.test/1")
    await operator.run(lambda db: db.execute("UPDATE host SET due_at = NULL"))
    housekeeping = Housekeeping(operator.store, now=100.0)

    await operator.run(lambda db: housekeeping.run_if_due(db, 100.0 + EVERY_S - 1))
    assert (await operator.host("a.test"))["due_at"] is None

    await operator.run(lambda db: housekeeping.run_if_due(db, 100.0 + EVERY_S))
    assert (await operator.host("a.test"))["due_at"] is not None


async def test_the_next_pass_is_an_hour_after_the_last_one(operator):
    housekeeping = Housekeeping(operator.store, now=0.0)
    await operator.run(lambda db: housekeeping.run_if_due(db, EVERY_S))
    await operator.queue("http://a.test/1")
    await operator.run(lambda db: db.execute("UPDATE host SET due_at = NULL"))

    await operator.run(lambda db: housekeeping.run_if_due(db, 2 * EVERY_S - 1))
    assert (await operator.host("a.test"))["due_at"] is None

    await operator.run(lambda db: housekeeping.run_if_due(db, 2 * EVERY_S))
    assert (await operator.host("a.test"))["due_at"] is not None
