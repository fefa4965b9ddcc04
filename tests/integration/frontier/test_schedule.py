"""Queued URLs are brought forward, rescheduled, hidden and shown, each by its key."""

import pytest
from tests.support.make import completion, urls_of

from outrider.urls import host_id_of, key_of

A, B = "http://a.test/1", "http://a.test/2"


async def _wait_an_hour(operator, url=A):
    """A URL that was fetched and is queued for the next visit; its host is not due before."""
    await operator.queue(url)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], retry_in_s=3600.0))
    await operator.release(lease)


async def _waits_s(operator, url=A):
    key = key_of(url)
    return await operator.run(
        lambda db: db.fetchval(
            "SELECT extract(epoch FROM next_fetch_at - now())::float8 FROM url "
            "WHERE host_id = $1 AND url_hash = $2",
            key.host_id,
            key.hash,
        )
    )


async def test_a_url_waits_no_longer_than_it_is_told(operator):
    await _wait_an_hour(operator)

    hosts = await operator.run(lambda db: operator.store.bring_forward(db, [key_of(A)], 600))

    assert hosts == {host_id_of("a.test")}
    assert 500 < await _waits_s(operator) <= 600
    assert await operator.run(lambda db: operator.store.bring_forward(db, [key_of(A)], 900)) == set()
    assert await _waits_s(operator) <= 600, "a URL that waits less keeps its time"


async def test_a_host_is_claimed_once_its_url_is_due_and_it_is_woken(operator):
    await _wait_an_hour(operator)
    hosts = await operator.run(lambda db: operator.store.bring_forward(db, [key_of(A)]))
    assert await operator.claim() == []

    await operator.run(lambda db: operator.store.wake_known_hosts(db, hosts))

    assert urls_of(await operator.claim()) == [A]


async def test_a_queued_url_is_rescheduled_and_one_that_left_the_queue_is_not(operator):
    await _wait_an_hour(operator)
    await operator.queue(B)
    lease = await operator.claim_one()
    await operator.complete(completion(B))
    await operator.release(lease)

    await operator.run(lambda db: operator.store.reschedule(db, {key_of(A): 60.0, key_of(B): 60.0}))

    assert 0 < await _waits_s(operator) <= 60
    assert await operator.state(B) == "fetched"


async def test_a_hidden_url_is_not_claimed_until_it_is_shown(operator):
    await operator.queue(A, priority=7)
    await operator.run(lambda db: operator.store.hide(db, [key_of(A)]))
    assert (await operator.row(A))["prio"] == -7

    hosts = await operator.run(lambda db: operator.store.show(db, [key_of(A)], 1))

    assert hosts == {host_id_of("a.test")}
    assert urls_of(await operator.claim()) == [A]


@pytest.mark.parametrize("is_held", [True, False])
async def test_a_url_is_not_shown_for_a_held_source(operator, is_held):
    await operator.queue(A)
    other = await operator.new_source("asks")
    await operator.run(lambda db: operator.store.hide(db, [key_of(A)]))
    if is_held:
        await operator.run(lambda db: operator.store.hold_source(db, other))

    shown = await operator.run(lambda db: operator.store.show(db, [key_of(A)], other))

    assert bool(shown) is not is_held
    assert ((await operator.row(A))["prio"] < 0) is is_held
