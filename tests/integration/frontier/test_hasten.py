"""Asked for now, whenever it would have been asked for: all but what waits for a reason."""

import pytest
from tests.support.make import completion, urls_of

from outrider.frontier.model import Totals
from outrider.urls import key_of

A = "http://a.test/1"
LATER = {"retry_in_s": 3600.0}


async def _finish(clerk, **end):
    await clerk.queue(A)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], **end))
    await clerk.release(lease)


async def _hasten(clerk, *urls):
    return await clerk.run(lambda db: clerk.store.hasten(db, [key_of(url) for url in urls]))


@pytest.mark.parametrize("end", [LATER, {}], ids=["queued for later", "not queued any more"])
async def test_it_is_asked_for_now(clerk, end):
    await _finish(clerk, **end)
    assert await clerk.claim() == []

    assert await _hasten(clerk, A) == 1

    assert urls_of(await clerk.claim()) == [A]
    assert await clerk.totals() == Totals(pending=1)


async def test_what_waits_after_a_failure_goes_on_waiting(clerk):
    await _finish(clerk, **LATER, attempts=2, reason="http_503", status=503)

    assert await _hasten(clerk, A) == 0
    assert await clerk.claim() == []


async def test_what_waits_with_its_source_goes_on_waiting(clerk):
    await _finish(clerk, **LATER)
    await clerk.run(lambda db: clerk.store.hold_source(db, 1))

    assert await _hasten(clerk, A) == 0
    assert await clerk.claim() == []


async def test_what_is_due_or_unknown_makes_no_difference(clerk):
    await clerk.queue(A)

    assert await _hasten(clerk, A, "http://unknown.test/") == 0
    assert urls_of(await clerk.claim()) == [A]


async def test_a_host_that_must_rest_is_not_asked_sooner(clerk):
    await _finish(clerk, **LATER)
    await clerk.set_host("a.test", next_allowed_at="now() + interval '1 hour'")

    assert await _hasten(clerk, A) == 1
    assert await clerk.claim() == []
