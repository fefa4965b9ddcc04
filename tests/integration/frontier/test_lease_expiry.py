"""A worker dies: its hosts are handed on with care, and a URL that kills workers is found out."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.make import completion, urls_of

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.worker_registry.store import WorkerRegistry


async def test_a_lost_lease_is_handed_on_and_says_so(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1", "http://a.test/2")
    first = await operator.claim_one()
    await operator.let_lease_run_out("a.test")

    second = await other.claim_one()

    assert urls_of([second]) == urls_of([first])
    assert (first.was_lost, second.was_lost) == (False, True)
    assert second.seq == first.seq + 1
    assert [entry.attempts for entry in second.entries] == [0, 0]


async def test_a_lease_that_expired_by_a_clock_jump_stays_with_its_worker(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1", "http://b.test/1")
    [held] = await operator.claim(hosts=1)
    await operator.let_lease_run_out(held.host)
    now = time.monotonic()
    other.store.clock_monitor.observe(datetime.now(UTC) - timedelta(hours=1), now, now)

    [free] = await other.claim()

    assert free.host != held.host
    assert free.was_lost, "nobody can say how long ago it was asked: it waits for its whole delay"


async def test_the_clock_is_believed_when_it_shows_what_it_should(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1")
    await operator.claim_one()
    await operator.let_lease_run_out("a.test")

    asked_at = time.monotonic()
    shown = await other.run(lambda db: WorkerRegistry().record_heartbeat(db, other.store.worker_id, {}))
    assert other.store.clock_monitor.observe(shown, asked_at, time.monotonic()) is False
    assert (await other.claim_one()).was_lost


async def test_a_host_on_which_a_worker_died_is_on_probation(operator):
    await operator.queue(*(f"http://a.test/{n}" for n in range(12)))
    await operator.claim_one()
    await operator.let_lease_run_out("a.test")

    careful = 0
    while (lease := await operator.claim_one()).probation:
        await operator.complete(completion(lease.entries[0]))
        await operator.release(lease)
        careful += 1

    assert careful == 10


async def test_an_ordinary_lease_is_not_careful(operator):
    await operator.queue("http://a.test/1")

    assert (await operator.claim_one()).probation == 0


async def test_the_url_in_progress_gets_a_crash_count(operator):
    await operator.queue("http://a.test/1")
    crash_counts = []
    for _ in range(4):
        lease = await operator.claim_one()
        await operator.run(
            lambda db, lease=lease: operator.store.mark_in_progress(db, lease, lease.entries[0].key)
        )
        crash_counts.append((lease.crash_count, lease.in_progress))
        await operator.let_lease_run_out("a.test")

    suspect = lease.entries[0].key.hash
    assert crash_counts == [(0, None), (1, suspect), (2, suspect), (3, suspect)]


async def test_the_crash_count_of_one_url_does_not_pass_to_the_next(operator):
    await operator.queue("http://a.test/1", "http://a.test/2")
    lease = await operator.claim_one()
    await operator.run(lambda db: operator.store.mark_in_progress(db, lease, lease.entries[0].key))
    await operator.let_lease_run_out("a.test")
    lost = await operator.claim_one()

    crash_count = await operator.run(
        lambda db: operator.store.mark_in_progress(db, lost, lost.entries[1].key)
    )

    assert (lost.crash_count, crash_count) == (1, 0)


async def test_coming_back_alive_clears_the_suspect(operator):
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    await operator.run(lambda db: operator.store.mark_in_progress(db, lease, lease.entries[0].key))

    await operator.release(lease)

    again = await operator.claim_one()
    assert (again.in_progress, again.crash_count) == (None, 0)


async def test_no_url_is_marked_in_progress_under_a_lost_lease(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1")
    old = await operator.claim_one()
    await operator.let_lease_run_out("a.test")
    await other.claim_one()

    assert await operator.run(lambda db: operator.store.mark_in_progress(db, old, old.entries[0].key)) is None
    assert (await operator.host("a.test"))["accused"] is None


async def test_a_crash_without_a_url_in_progress_counts_for_no_url(operator):
    await operator.queue("http://a.test/1")
    await operator.claim_one()
    await operator.let_lease_run_out("a.test")

    assert (await operator.claim_one()).crash_count == 0


async def test_hosts_of_a_dead_worker_come_back_when_its_last_request_must_be_over(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1", "http://b.test/1")
    [mine] = await operator.claim(1)
    [others] = await other.claim(1)
    a_request_takes_s = 20.0

    recovered = await other.run(
        lambda db: other.store.recover_worker(db, operator.store.worker_id, a_request_takes_s)
    )

    assert recovered == 1
    assert await other.claim() == []  # it may have asked for something just before it died
    await other.run(
        lambda db: db.execute(
            "UPDATE host SET due_at = now() WHERE due_at < now() + interval '22 seconds'"
            " AND lease_owner = $1",
            operator.store.worker_id,
        )
    )
    claimed = {lease.host: lease.was_lost for lease in await other.claim()}
    assert claimed == {mine.host: True}
    assert others.host != mine.host


@pytest.mark.parametrize("lost", [False, True])
async def test_a_lease_is_renewed_only_while_it_is_ours(operator, start_worker, lost):
    other = await start_worker()
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    if lost:
        await operator.let_lease_run_out("a.test")
        await other.claim_one()
    expires = lease.expires

    kept = await operator.run(lambda db: operator.store.renew(db, [lease]))

    assert kept == (set() if lost else {lease.host_id})
    assert (lease.expires > expires) is not lost


async def test_a_renewed_lease_is_not_handed_on(start_worker):
    operator, other = await start_worker(FrontierOptions(lease_s=60)), await start_worker()
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    await operator.let_lease_run_out("a.test")

    await operator.run(lambda db: operator.store.renew(db, [lease]))

    assert await other.claim() == []


async def test_a_host_leased_by_name_is_leased_like_any_other(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1")

    lease = await operator.run(lambda db: operator.store.lease_host(db, "a.test"))

    assert await other.claim() == []
    assert await other.run(lambda db: other.store.lease_host(db, "a.test")) is None
    await operator.release(lease)
    assert urls_of(await other.claim()) == ["http://a.test/1"]


async def test_an_unknown_host_can_be_leased_by_name(operator):
    lease = await operator.run(lambda db: operator.store.lease_host(db, "new.test"))

    assert (lease.host, lease.seq) == ("new.test", 1)
    assert await operator.release(lease) == {}


async def test_a_lease_that_a_killed_command_left_behind_is_replaced_once_it_expired(operator):
    command = FrontierStore(FrontierOptions())
    lease = await operator.run(lambda db: command.lease_host(db, "a.test"))
    too_soon = await operator.run(lambda db: command.lease_host(db, "a.test"))
    await operator.let_lease_run_out("a.test")

    again = await operator.run(lambda db: command.lease_host(db, "a.test"))

    assert too_soon is None
    assert (again.seq, again.was_lost, lease.was_lost) == (lease.seq + 1, True, False)


@pytest.mark.parametrize(
    ("has_left", "in_progress", "is_leased"),
    [(True, False, True), (False, False, False), (True, True, False)],
    ids=["of a worker that left", "of a worker that may live", "with a page that took its worker down"],
)
async def test_which_expired_lease_is_replaced(operator, start_worker, has_left, in_progress, is_leased):
    worker = await start_worker()
    await worker.queue("http://a.test/1")
    lease = await worker.claim_one()
    if in_progress:
        await worker.run(lambda db: worker.store.mark_in_progress(db, lease, lease.entries[0].key))
    await worker.let_lease_run_out("a.test")
    if has_left:
        await worker.run(lambda db: WorkerRegistry().record_stop(db, worker.store.worker_id))

    found = await operator.run(lambda db: operator.store.lease_host(db, "a.test"))

    assert (found is not None) is is_leased
    if found is not None:
        assert (found.was_lost, found.probation) == (True, 10)


@pytest.mark.parametrize("until", ["now() + interval '1 minute'", "'infinity'"], ids=["delay", "blocked"])
async def test_a_host_that_must_be_left_alone_is_not_lent(operator, until):
    await operator.queue("http://a.test/1")
    await operator.set_host("a.test", next_allowed_at=until)

    assert await operator.run(lambda db: operator.store.lease_host(db, "a.test")) is None


async def _lose_lease(operator, start_worker):
    """The worker that took over an expired lease of the operator, the old lease and the new one."""
    other = await start_worker()
    await operator.queue("http://a.test/1")
    old = await operator.claim_one()
    await operator.let_lease_run_out("a.test")
    return other, old, await other.claim_one()


async def test_a_late_result_of_the_lost_worker_still_counts(operator, start_worker):
    other, old, new = await _lose_lease(operator, start_worker)

    await operator.complete(completion(old.entries[0]))
    await other.complete(completion(new.entries[0])._replace(reason="http_500", retry_in_s=60, attempts=1))

    assert await operator.state("http://a.test/1") == "fetched"
    assert (await operator.totals()).fetched == 1


async def test_a_late_page_is_kept_after_the_new_lease_gave_its_url_up(operator, start_worker):
    other, old, new = await _lose_lease(operator, start_worker)

    await other.complete(completion(new.entries[0])._replace(reason="not_found", status=404))
    assert await operator.state("http://a.test/1") == "dead"
    await operator.complete(completion(old.entries[0]))

    assert await operator.state("http://a.test/1") == "fetched"
    totals = await operator.totals()
    assert (totals.fetched, totals.dead) == (1, 0)


async def test_a_page_that_both_leases_brought_counts_once(operator, start_worker):
    other, old, new = await _lose_lease(operator, start_worker)

    await other.complete(completion(new.entries[0]))
    await operator.complete(completion(old.entries[0]))

    totals = await operator.totals()
    assert (totals.fetched, totals.pending) == (1, 0)
