"""An operator can have dead entries fetched again, and no others."""

import pytest
from tests.support.make import completion

from outrider.frontier.options import FrontierOptions
from outrider.services.urls import urls
from outrider.services.urls.urls import RetriedUrls, retry_dead, retry_urls

PENDING, FETCHED, GONE, TIMED_OUT = (f"http://a.test/{n}" for n in ("pending", "fetched", "gone", "slow"))
ELSEWHERE = "http://b.test/slow"


@pytest.fixture
async def known(operator):
    await operator.queue(PENDING, FETCHED, GONE, TIMED_OUT, ELSEWHERE)
    await operator.complete(
        completion(FETCHED),
        completion(GONE, reason="gone", status=410),
        completion(TIMED_OUT, reason="max_retries:timeout"),
        completion(ELSEWHERE, reason="max_retries:timeout"),
    )


async def _dead(operator):
    return [
        url for url in (PENDING, FETCHED, GONE, TIMED_OUT, ELSEWHERE) if await operator.state(url) == "dead"
    ]


async def test_only_dead_ones_are_queued_again(operator, known):
    unknown = "http://unknown.test/"

    done = await operator.run(lambda db: retry_urls(db, [PENDING, FETCHED, GONE, unknown], FrontierOptions()))

    assert done == RetriedUrls(1, [PENDING, FETCHED, unknown])
    row = await operator.row(GONE)
    assert (row["attempts"], row["reason"], row["next_fetch_at"] is not None) == (0, None, True)
    assert await operator.state(FETCHED) == "fetched"


@pytest.mark.parametrize("at_once", [1, 1_000])
@pytest.mark.parametrize(
    ("host", "count", "left"),
    [(None, 2, [GONE]), ("a.test", 1, [GONE, ELSEWHERE]), ("c.test", 0, [GONE, TIMED_OUT, ELSEWHERE])],
)
async def test_all_that_died_of_a_reason_come_back(operator, known, monkeypatch, host, count, left, at_once):
    monkeypatch.setattr(urls, "RETRIED_AT_ONCE", at_once)

    done = await operator.run(lambda db: retry_dead(db, "max_retries:timeout", host, FrontierOptions()))

    assert done == RetriedUrls(count)
    assert await _dead(operator) == left
