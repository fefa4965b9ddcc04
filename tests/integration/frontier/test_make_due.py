"""Asked for now, whenever it would have been asked for: all but what waits for a reason."""

import pytest
from tests.support.make import completion, urls_of

from outrider.frontier.model import Totals
from outrider.urls import key_of

A = "http://a.test/1"
LATER = {"retry_in_s": 3600.0}


async def _finish(operator, **end):
    await operator.queue(A)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], **end))
    await operator.release(lease)


async def _hasten(operator, *urls):
    return await operator.run(lambda db: operator.store.make_due(db, [key_of(url) for url in urls]))


@pytest.mark.parametrize("end", [LATER, {}], ids=["queued for later", "not queued any more"])
async def test_it_is_asked_for_now(operator, end):
    await _finish(operator, **end)
    assert await operator.claim() == []

    assert await _hasten(operator, A) == 1

    assert urls_of(await operator.claim()) == [A]
    assert await operator.totals() == Totals(pending=1)


async def test_what_waits_after_a_failure_goes_on_waiting(operator):
    await _finish(operator, **LATER, attempts=2, reason="http_503", status=503)

    assert await _hasten(operator, A) == 0
    assert await operator.claim() == []


async def test_what_waits_with_its_source_goes_on_waiting(operator):
    await _finish(operator, **LATER)
    await operator.run(lambda db: operator.store.hold_source(db, 1))

    assert await _hasten(operator, A) == 0
    assert await operator.claim() == []


async def test_what_is_due_or_unknown_makes_no_difference(operator):
    await operator.queue(A)

    assert await _hasten(operator, A, "http://unknown.test/") == 0
    assert urls_of(await operator.claim()) == [A]


async def test_a_host_that_must_rest_is_not_asked_sooner(operator):
    await _finish(operator, **LATER)
    await operator.set_host("a.test", next_allowed_at="now() + interval '1 hour'")

    assert await _hasten(operator, A) == 1
    assert await operator.claim() == []
