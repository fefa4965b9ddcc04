"""Hosts go back: when they are due again, and what no late or racing worker can spoil."""

import asyncio
from dataclasses import replace

import asyncpg
import pytest
from tests.support.make import completion, submission, urls_of

from outrider.frontier.lease import Release
from outrider.hosts.model import BreakerState, HostState
from outrider.urls import host_id_of


async def _due_in_s(operator, host: str) -> float | None:
    return await operator.run(
        lambda db: db.fetchval(
            "SELECT extract(epoch FROM due_at - now())::float8 FROM host WHERE host_id = $1", host_id_of(host)
        )
    )


async def _set_wait(operator, url: str, wait: str) -> None:
    await operator.run(
        lambda db: db.execute(f"UPDATE url SET next_fetch_at = now() + interval '{wait}' WHERE url = $1", url)
    )


async def test_a_host_with_more_to_do_is_due_after_its_delay(operator):
    await operator.queue("http://a.test/1", "http://a.test/2")
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0]))

    due = await operator.release(lease, wait_s=40.0)

    assert due == {lease.host_id: pytest.approx(40.0)}
    assert await operator.claim() == []
    assert (await operator.host("a.test"))["lease_owner"] is None


async def test_a_host_with_nothing_to_do_is_not_due(operator):
    await operator.queue("http://a.test/")
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0]))

    assert await operator.release(lease) == {}
    assert (await operator.host("a.test"))["due_at"] is None


async def test_the_delay_outlives_an_empty_queue(operator):
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0]))
    await operator.release(lease, wait_s=40.0)

    await operator.queue("http://a.test/2", priority=10)

    assert await _due_in_s(operator, "a.test") == pytest.approx(40.0, abs=20)
    assert await operator.claim() == []


async def test_an_important_url_next_week_does_not_park_the_host(operator):
    await operator.queue("http://a.test/top", priority=10)
    await operator.queue("http://a.test/low", priority=1)
    lease = await operator.claim_one()
    await _set_wait(operator, "http://a.test/top", "7 days")

    due = await operator.release(lease)

    assert due[lease.host_id] <= 0
    assert urls_of(await operator.claim()) == ["http://a.test/low"]


async def test_what_is_due_by_the_end_of_the_delay_goes_by_priority(operator):
    await operator.queue("http://a.test/low", priority=1)
    await operator.queue("http://a.test/top", priority=10)
    lease = await operator.claim_one()
    await _set_wait(operator, "http://a.test/top", "30 seconds")

    await operator.release(lease, wait_s=40.0)

    assert (await operator.host("a.test"))["prio"] == 10


async def test_a_host_whose_urls_all_wait_is_due_with_the_first_of_them(operator):
    await operator.queue("http://a.test/1", "http://a.test/2")
    lease = await operator.claim_one()
    await _set_wait(operator, "http://a.test/1", "3 hours")
    await _set_wait(operator, "http://a.test/2", "2 hours")

    due = await operator.release(lease)

    assert due[lease.host_id] == pytest.approx(7200, abs=60)


async def test_a_release_with_an_old_fencing_number_changes_nothing(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1")
    old = await operator.claim_one()
    await operator.let_lease_run_out("a.test")
    await other.claim_one()
    before = await operator.host("a.test")

    assert await operator.release(old) == {}

    assert await operator.host("a.test") == before


async def test_a_lease_is_released_once(operator):
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    await operator.release(lease, wait_s=40.0)
    before = await operator.host("a.test")

    await operator.release(lease, wait_s=0.0)

    assert await operator.host("a.test") == before


async def test_what_was_learned_about_the_host_is_kept(operator):
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    learned = HostState(
        delay_ms=2_500,
        penalty_ms=700,
        calm=3,
        rate_limited=5,
        breaker=BreakerState.OPEN,
        failures=6,
        trips=2,
        probes_ok=1,
        robots_failures=2,
    )
    await operator.run(lambda db: operator.store.release(db, [Release(lease, learned, 0.0)]))

    assert (await operator.claim_one()).state == learned


async def test_numbers_that_only_grow_stay_within_their_columns(operator):
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    grown = dict.fromkeys(("failures", "trips", "calm", "rate_limited", "robots_failures"), 10**6)
    absurd = replace(lease.state, **grown)

    await operator.run(lambda db: operator.store.release(db, [Release(lease, absurd, 0.0)]))

    kept = (await operator.claim_one()).state
    assert {getattr(kept, name) for name in grown} == {32_767}


async def test_a_host_blocked_while_leased_stays_blocked(operator):
    await operator.queue("http://a.test/1", "http://a.test/2")
    lease = await operator.claim_one()
    await operator.set_host("a.test", next_allowed_at="'infinity'")

    assert await operator.release(lease) == {}

    assert (await operator.host("a.test"))["due_at"] is None
    assert await operator.claim() == []


@pytest.mark.parametrize("waiting", [None, "7 days"], ids=["nothing else queued", "another url next week"])
async def test_a_url_that_arrives_during_the_release_is_not_forgotten(
    operator, start_worker, database, waiting
):
    """The race, forced: the link is uncommitted when the release looks, and committed when it writes."""
    other = await start_worker()
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    if waiting:
        await _set_wait(operator, "http://a.test/1", waiting)
    else:
        await operator.complete(completion(lease.entries[0]))
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await other.store.ingest(slow, [submission("http://a.test/2")])

    releasing = asyncio.create_task(operator.release(lease))
    await other.until_a_lock_is_awaited()
    await transaction.commit()
    due = await releasing
    await slow.close()

    assert due[lease.host_id] <= 0
    assert urls_of(await operator.claim()) == ["http://a.test/2"]


async def test_many_hosts_go_back_in_one_statement(operator):
    await operator.ingest([submission(f"http://h{n}.test/") for n in range(30)])
    leases = await operator.claim(64)

    due = await operator.release(*leases, wait_s=5.0)

    assert sorted(due) == sorted(lease.host_id for lease in leases)
    assert await operator.run(lambda db: db.fetchval("SELECT count(*) FROM host WHERE lease_owner > 0")) == 0
