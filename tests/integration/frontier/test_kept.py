"""Between two leases a host stays with the worker that knows it, unless that one does not come for it."""

from math import inf

import pytest

from outrider.urls import host_id_of


@pytest.fixture
async def other(start_worker):
    return await start_worker()


async def _hosts_of(operator) -> list[str]:
    return sorted(lease.host for lease in await operator.claim())


async def test_other_workers_do_not_claim_a_reserved_host(operator, other):
    await operator.queue("http://a.test/1")
    await operator.release(await operator.claim_one(), keep=1)

    assert await _hosts_of(other) == []
    assert await _hosts_of(operator) == ["a.test"]


async def test_other_workers_claim_a_reserved_host_after_half_a_second(operator, other):
    await operator.queue("http://a.test/1")
    await operator.release(await operator.claim_one(), keep=1)

    await operator.set_host("a.test", due_at="now() - interval '0.6 seconds'")

    assert await _hosts_of(other) == ["a.test"]


async def test_a_reservation_of_an_earlier_crawl_does_not_hold_up_the_next(operator, other):
    await operator.queue("http://a.test/1")
    await operator.release(await operator.claim_one(), keep=1)

    # What a new crawl finds: the host was last asked some time ago, and its URLs are due since a moment.
    await operator.set_host("a.test", due_at="now()", next_allowed_at="now() - interval '1 minute'")

    assert await _hosts_of(other) == ["a.test"]


async def test_a_new_lease_ends_the_reservation(operator, other):
    await operator.queue("http://a.test/1")
    await operator.release(await operator.claim_one(), keep=1)
    await operator.set_host("a.test", due_at="now() - interval '0.6 seconds'")

    await other.release(await other.claim_one())

    assert await _hosts_of(operator) == ["a.test"]


async def test_as_many_are_kept_as_the_worker_wants_and_those_are_named_first(operator, other):
    await operator.queue(*(f"http://h{n}.test/" for n in range(9)))

    due = await operator.release(*await operator.claim(), keep=3)

    left = await _hosts_of(other)
    assert len(left) == 6
    assert set(list(due)[:3]).isdisjoint(map(host_id_of, left))


@pytest.mark.parametrize(("wait_s", "kept_for_us"), [(0.9, True), (1.0, False), (60.0, False)])
async def test_who_would_not_wait_for_it_keeps_nothing(operator, wait_s, kept_for_us):
    await operator.queue("http://a.test/1")

    await operator.release(await operator.claim_one(), wait_s=wait_s, keep=inf)

    assert (await operator.host("a.test"))["kept_for"] == (operator.store.worker_id if kept_for_us else None)
