"""An empty queue, when somebody asks for one (FRO-19)."""

import pytest
from tests.support.make import Clerk, completion

from outrider.urls import host_id_of

A, B = "http://a.test/1", "http://b.test/1"


@pytest.fixture
async def clerk(database):
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


async def _clear(clerk, **which):
    return await clerk.run(lambda db: clerk.store.clear_pending(db, **which))


async def test_what_was_never_fetched_is_forgotten_and_may_come_again(clerk):
    await clerk.queue(A, B)

    assert await _clear(clerk) == 2

    assert (await clerk.totals()).known == 0
    assert (await clerk.queue(A)).inserted == 1


async def test_fetched_and_dead_pages_stay(clerk):
    await clerk.queue(A, B)
    await clerk.complete(completion(A), completion(B, reason="gone"))

    assert await _clear(clerk) == 0

    totals = await clerk.totals()
    assert (totals.fetched, totals.dead, totals.pending) == (1, 1, 0)


async def test_a_page_queued_again_keeps_its_history(clerk):
    await clerk.queue(A)
    await clerk.complete(completion(A))
    await clerk.requeue(A)

    assert await _clear(clerk) == 1

    totals = await clerk.totals()
    assert (totals.fetched, totals.pending) == (1, 0)


async def test_only_one_host_can_be_cleared(clerk):
    await clerk.queue(A, B)

    assert await _clear(clerk, host_id=host_id_of("a.test")) == 1

    assert (await clerk.totals()).pending == 1


async def test_what_a_worker_has_in_hand_stays(clerk):
    await clerk.queue(A)
    await clerk.claim_one()

    assert await _clear(clerk) == 0
