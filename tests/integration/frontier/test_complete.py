"""What became of addresses: every transition, its counters, and results that come late."""

import asyncio

import asyncpg
import pytest
from tests.support.make import completion, submission

from outrider.frontier.model import EntryKind, Totals
from outrider.urls import key_of

A, B = "http://a.test/1", "http://b.test/1"

FETCHED = {}
RETRY = {"reason": "http_500", "status": 500, "retry_in_s": 60, "attempts": 1}
DEAD = {"reason": "not_found", "status": 404}
OTHER_DEAD = {"reason": "gone", "status": 410}
ALIAS = {"moved_to": key_of(B), "status": 301}

STATES = {
    "pending": Totals(pending=1),
    "fetched": Totals(fetched=1),
    "dead": Totals(dead=1, others={"dead.not_found": 1}),
    "other dead": Totals(dead=1, others={"dead.gone": 1}),
    "alias": Totals(aliases=1),
}


async def _claimed(operator, *urls):
    await operator.queue(*urls)
    return {entry.url: entry for lease in await operator.claim() for entry in lease.entries}


@pytest.mark.parametrize(
    ("end", "state"),
    [(FETCHED, "fetched"), (RETRY, "pending"), (DEAD, "dead"), (OTHER_DEAD, "other dead"), (ALIAS, "alias")],
    ids=["fetched", "retry", "dead", "dead otherwise", "moved"],
)
async def test_each_end_has_its_state_and_its_count(operator, end, state):
    entries = await _claimed(operator, A)

    await operator.complete(completion(entries[A], **end))

    assert await operator.state(A) == state.split()[-1]
    assert await operator.totals() == STATES[state]


async def test_a_success_forgets_the_failures_before_it(operator):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A], **RETRY))
    failed = await operator.row(A)
    await operator.complete(completion(entries[A]))

    row = await operator.row(A)
    assert (failed["attempts"], failed["reason"], failed["http_status"], failed["fetches"]) == (
        1,
        "http_500",
        500,
        0,
    )
    assert (row["attempts"], row["reason"], row["http_status"], row["fetches"]) == (0, None, 200, 1)
    assert row["last_fetch_at"] is not None


async def test_a_retry_is_due_after_its_wait(operator):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A], **RETRY))

    due_in = await operator.run(
        lambda db: db.fetchval("SELECT extract(epoch FROM next_fetch_at - last_fetch_at)::float8 FROM url")
    )
    assert due_in == pytest.approx(60)


@pytest.mark.parametrize("late", [RETRY, DEAD], ids=["retry", "dead"])
@pytest.mark.parametrize("first", [FETCHED, ALIAS], ids=["fetched", "moved"])
async def test_a_late_failure_does_not_overwrite_a_success(operator, first, late):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A], **first))
    before, totals = await operator.row(A), await operator.totals()

    await operator.complete(completion(entries[A], **late))

    assert await operator.row(A) == before
    assert await operator.totals() == totals


async def test_a_late_retry_does_not_revive_what_is_dead(operator, start_worker):
    """Revived, it would be queued on a host that has nothing to wake it."""
    other = await start_worker()
    entries = await _claimed(operator, A)
    await operator.let_lease_run_out("a.test")
    lease = await other.claim_one()
    await other.complete(completion(lease.entries[0], **DEAD))
    await other.release(lease)

    await operator.complete(completion(entries[A], **RETRY))

    assert await operator.state(A) == "dead"
    assert (await operator.host("a.test"))["due_at"] is None
    assert await operator.totals() == STATES["dead"]


async def test_a_late_success_overrules_a_failure(operator):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A], **DEAD))

    await operator.complete(completion(entries[A]))

    assert await operator.state(A) == "fetched"
    assert await operator.totals() == STATES["fetched"]


async def test_a_failure_of_the_next_visit_counts(operator):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A]))
    await operator.requeue(A)
    await operator.let_lease_run_out("a.test")
    [again] = (await operator.claim_one()).entries

    await operator.complete(completion(again, **DEAD))

    assert await operator.totals() == STATES["dead"]


@pytest.mark.parametrize("late", [RETRY, DEAD], ids=["retry", "dead"])
async def test_a_failure_from_before_the_re_crawl_does_not_count_against_it(operator, late):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A]))
    await operator.requeue(A)

    await operator.complete(completion(entries[A], **late))

    row = await operator.row(A)
    assert (row["attempts"], row["reason"]) == (0, None)
    assert await operator.totals() == STATES["pending"]


@pytest.mark.parametrize("second", [FETCHED, DEAD], ids=["fetched", "dead too"])
async def test_two_results_at_once_are_counted_as_one_address(operator, start_worker, database, second):
    """Forced: the second result waits for the first one's row, and began before that one was dead."""
    other = await start_worker()
    entries = await _claimed(operator, A)
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await operator.store.complete(slow, [completion(entries[A], **OTHER_DEAD)])

    completing = asyncio.create_task(other.complete(completion(entries[A], **second)))
    await operator.until_a_lock_is_awaited()
    await transaction.commit()
    await completing
    await slow.close()

    assert await operator.totals() == STATES["fetched" if second is FETCHED else "other dead"]


async def test_an_address_met_on_the_way_is_recorded_without_being_queued(operator):
    await operator.complete(completion("http://new.test/", kind=EntryKind.PAGE))

    assert await operator.state("http://new.test/") == "fetched"
    assert await operator.totals() == STATES["fetched"]


async def test_robots_txt_has_a_history_and_no_place_in_the_counts(operator):
    await operator.complete(completion("http://a.test/robots.txt", kind=EntryKind.ROBOTS))
    await operator.complete(completion("http://a.test/robots.txt", kind=EntryKind.ROBOTS))

    assert (await operator.row("http://a.test/robots.txt"))["fetches"] == 2
    assert await operator.totals() == Totals()


@pytest.mark.parametrize("known", [False, True], ids=["target unknown", "target known"])
async def test_a_moved_address_points_at_its_target(operator, known):
    entries = await _claimed(operator, A)
    if known:
        await operator.queue(B)

    await operator.complete(completion(entries[A], **ALIAS))
    answer = await operator.ingest([submission(B, hops=1, via=key_of(A).hash)])

    assert (answer.inserted, answer.known) == ((0, 1) if known else (1, 0))
    assert (await operator.row(A))["redirects_to"] == B
    assert await operator.totals() == Totals(pending=1, aliases=1)


async def test_two_addresses_that_move_to_one_share_it(operator):
    other = "http://a.test/2"
    entries = await _claimed(operator, A, other)

    await operator.complete(completion(entries[A], **ALIAS), completion(entries[other], **ALIAS))
    await operator.ingest([submission(B)])

    assert [(await operator.row(url))["redirects_to"] for url in (A, other)] == [B, B]
    assert await operator.totals() == Totals(pending=1, aliases=2)


async def test_source_and_target_may_be_completed_together(operator):
    entries = await _claimed(operator, A, B)

    await operator.complete(completion(entries[A], **ALIAS), completion(entries[B]))

    assert await operator.totals() == Totals(fetched=1, aliases=1)


async def test_a_url_held_meanwhile_keeps_its_hold(operator):
    source = await operator.new_source("held")
    await operator.queue(A, source_id=source)
    [entry] = (await operator.claim_one()).entries
    await operator.run(lambda db: operator.store.hold_source(db, source))

    await operator.complete(completion(entry, **RETRY))

    row = await operator.row(A)
    assert (row["prio"], row["next_fetch_at"] is not None) == (-5, True)
