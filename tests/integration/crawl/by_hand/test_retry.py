"""Dead entries come back when somebody asks for them, and nothing else does."""

import pytest
from tests.support.make import Clerk, completion

from outrider.crawl.by_hand.retry import retry, retry_because
from outrider.urls import host_id_of, key_of

PENDING, FETCHED, GONE, TIMED_OUT = (f"http://a.test/{n}" for n in ("pending", "fetched", "gone", "slow"))
ELSEWHERE = "http://b.test/slow"


@pytest.fixture
async def clerk(database):
    clerk = await Clerk.enter(database)
    await clerk.queue(PENDING, FETCHED, GONE, TIMED_OUT, ELSEWHERE)
    await clerk.complete(
        completion(FETCHED),
        completion(GONE, reason="gone", status=410),
        completion(TIMED_OUT, reason="max_retries:timeout"),
        completion(ELSEWHERE, reason="max_retries:timeout"),
    )
    yield clerk
    await clerk.line.close()


async def _dead(clerk):
    return [url for url in (PENDING, FETCHED, GONE, TIMED_OUT, ELSEWHERE) if await clerk.state(url) == "dead"]


async def test_only_dead_ones_are_queued_again(clerk):
    keys = [key_of(url) for url in (PENDING, FETCHED, GONE, "http://unknown.test/")]

    queued = await clerk.run(lambda db: retry(db, clerk.store, keys))

    assert queued == {key_of(GONE)}
    row = await clerk.row(GONE)
    assert (row["attempts"], row["reason"], row["q_at"] is not None) == (0, None, True)
    assert await clerk.state(FETCHED) == "fetched"


@pytest.mark.parametrize(
    ("host", "count", "left"),
    [(None, 2, [GONE]), ("a.test", 1, [GONE, ELSEWHERE]), ("c.test", 0, [GONE, TIMED_OUT, ELSEWHERE])],
)
async def test_all_that_died_of_a_reason_come_back_together(clerk, host, count, left):
    host_id = None if host is None else host_id_of(host)

    queued = await clerk.run(lambda db: retry_because(db, clerk.store, "max_retries:timeout", host_id))

    assert queued == count
    assert await _dead(clerk) == left
