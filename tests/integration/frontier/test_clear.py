"""An empty queue, when somebody asks for one (FRO-19)."""

import pytest
from tests.support.make import Operator, completion

from outrider.urls import host_id_of

A, B = "http://a.test/1", "http://b.test/1"


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def _clear(operator, **which):
    return await operator.run(lambda db: operator.store.clear_pending(db, **which))


async def test_what_was_never_fetched_is_forgotten_and_may_come_again(operator):
    await operator.queue(A, B)

    assert await _clear(operator) == 2

    assert (await operator.totals()).known == 0
    assert (await operator.queue(A)).inserted == 1


async def test_fetched_and_dead_pages_stay(operator):
    await operator.queue(A, B)
    await operator.complete(completion(A), completion(B, reason="gone"))

    assert await _clear(operator) == 0

    totals = await operator.totals()
    assert (totals.fetched, totals.dead, totals.pending) == (1, 1, 0)


async def test_a_page_queued_again_keeps_its_history(operator):
    await operator.queue(A)
    await operator.complete(completion(A))
    await operator.requeue(A)

    assert await _clear(operator) == 1

    totals = await operator.totals()
    assert (totals.fetched, totals.pending) == (1, 0)


async def test_only_one_host_can_be_cleared(operator):
    await operator.queue(A, B)

    assert await _clear(operator, host_id=host_id_of("a.test")) == 1

    assert (await operator.totals()).pending == 1


async def test_what_a_worker_has_in_hand_stays(operator):
    await operator.queue(A)
    await operator.claim_one()

    assert await _clear(operator) == 0
