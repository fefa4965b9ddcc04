"""What became of addresses: every transition, its counters, and results that come late."""

import asyncio

import asyncpg
import pytest
from tests.support.make import completion, submission

from outrider.frontier.model import Kind, Totals
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


async def _claimed(clerk, *urls):
    await clerk.queue(*urls)
    return {entry.url: entry for lease in await clerk.claim() for entry in lease.entries}


@pytest.mark.parametrize(
    ("end", "state"),
    [(FETCHED, "fetched"), (RETRY, "pending"), (DEAD, "dead"), (OTHER_DEAD, "other dead"), (ALIAS, "alias")],
    ids=["fetched", "retry", "dead", "dead otherwise", "moved"],
)
async def test_each_end_has_its_state_and_its_count(clerk, end, state):
    entries = await _claimed(clerk, A)

    await clerk.complete(completion(entries[A], **end))

    assert await clerk.state(A) == state.split()[-1]
    assert await clerk.totals() == STATES[state]


async def test_a_success_forgets_the_failures_before_it(clerk):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A], **RETRY))
    failed = await clerk.row(A)
    await clerk.complete(completion(entries[A]))

    row = await clerk.row(A)
    assert (failed["attempts"], failed["reason"], failed["http_status"], failed["fetches"]) == (
        1,
        "http_500",
        500,
        0,
    )
    assert (row["attempts"], row["reason"], row["http_status"], row["fetches"]) == (0, None, 200, 1)
    assert row["last_fetch_at"] is not None


async def test_a_retry_is_due_after_its_wait(clerk):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A], **RETRY))

    due_in = await clerk.run(
        lambda db: db.fetchval("SELECT extract(epoch FROM q_at - last_fetch_at)::float8 FROM url")
    )
    assert due_in == pytest.approx(60)


@pytest.mark.parametrize("late", [RETRY, DEAD], ids=["retry", "dead"])
@pytest.mark.parametrize("first", [FETCHED, ALIAS], ids=["fetched", "moved"])
async def test_a_late_failure_does_not_overwrite_a_success(clerk, first, late):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A], **first))
    before, totals = await clerk.row(A), await clerk.totals()

    await clerk.complete(completion(entries[A], **late))

    assert await clerk.row(A) == before
    assert await clerk.totals() == totals


async def test_a_late_retry_does_not_revive_what_is_dead(clerk, hire):
    """Revived, it would be queued on a host that has nothing to wake it."""
    other = await hire()
    entries = await _claimed(clerk, A)
    await clerk.let_lease_run_out("a.test")
    lease = await other.claim_one()
    await other.complete(completion(lease.entries[0], **DEAD))
    await other.release(lease)

    await clerk.complete(completion(entries[A], **RETRY))

    assert await clerk.state(A) == "dead"
    assert (await clerk.host("a.test"))["due_at"] is None
    assert await clerk.totals() == STATES["dead"]


async def test_a_late_success_overrules_a_failure(clerk):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A], **DEAD))

    await clerk.complete(completion(entries[A]))

    assert await clerk.state(A) == "fetched"
    assert await clerk.totals() == STATES["fetched"]


async def test_a_failure_of_the_next_visit_counts(clerk):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A]))
    await clerk.requeue(A)
    await clerk.let_lease_run_out("a.test")
    [again] = (await clerk.claim_one()).entries

    await clerk.complete(completion(again, **DEAD))

    assert await clerk.totals() == STATES["dead"]


@pytest.mark.parametrize("late", [RETRY, DEAD], ids=["retry", "dead"])
async def test_a_failure_from_before_the_re_crawl_does_not_count_against_it(clerk, late):
    entries = await _claimed(clerk, A)
    await clerk.complete(completion(entries[A]))
    await clerk.requeue(A)

    await clerk.complete(completion(entries[A], **late))

    row = await clerk.row(A)
    assert (row["attempts"], row["reason"]) == (0, None)
    assert await clerk.totals() == STATES["pending"]


@pytest.mark.parametrize("second", [FETCHED, DEAD], ids=["fetched", "dead too"])
async def test_two_results_at_once_are_counted_as_one_address(clerk, hire, database, second):
    """Forced: the second result waits for the first one's row, and began before that one was dead."""
    other = await hire()
    entries = await _claimed(clerk, A)
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await clerk.store.complete(slow, [completion(entries[A], **OTHER_DEAD)])

    completing = asyncio.create_task(other.complete(completion(entries[A], **second)))
    await clerk.until_somebody_waits_for_a_lock()
    await transaction.commit()
    await completing
    await slow.close()

    assert await clerk.totals() == STATES["fetched" if second is FETCHED else "other dead"]


async def test_an_address_met_on_the_way_is_recorded_without_being_queued(clerk):
    await clerk.complete(completion("http://new.test/", kind=Kind.PAGE))

    assert await clerk.state("http://new.test/") == "fetched"
    assert await clerk.totals() == STATES["fetched"]


async def test_robots_txt_has_a_history_and_no_place_in_the_counts(clerk):
    await clerk.complete(completion("http://a.test/robots.txt", kind=Kind.ROBOTS))
    await clerk.complete(completion("http://a.test/robots.txt", kind=Kind.ROBOTS))

    assert (await clerk.row("http://a.test/robots.txt"))["fetches"] == 2
    assert await clerk.totals() == Totals()


@pytest.mark.parametrize("known", [False, True], ids=["target unknown", "target known"])
async def test_a_moved_address_points_at_its_target(clerk, known):
    entries = await _claimed(clerk, A)
    if known:
        await clerk.queue(B)

    await clerk.complete(completion(entries[A], **ALIAS))
    answer = await clerk.ingest([submission(B, hops=1, via=key_of(A).hash)])

    assert (answer.inserted, answer.known) == ((0, 1) if known else (1, 0))
    assert (await clerk.row(A))["redirects_to"] == B
    assert await clerk.totals() == Totals(pending=1, aliases=1)


async def test_two_addresses_that_move_to_one_share_it(clerk):
    other = "http://a.test/2"
    entries = await _claimed(clerk, A, other)

    await clerk.complete(completion(entries[A], **ALIAS), completion(entries[other], **ALIAS))
    await clerk.ingest([submission(B)])

    assert [(await clerk.row(url))["redirects_to"] for url in (A, other)] == [B, B]
    assert await clerk.totals() == Totals(pending=1, aliases=2)


async def test_source_and_target_may_be_completed_together(clerk):
    entries = await _claimed(clerk, A, B)

    await clerk.complete(completion(entries[A], **ALIAS), completion(entries[B]))

    assert await clerk.totals() == Totals(fetched=1, aliases=1)


async def test_a_url_held_meanwhile_keeps_its_hold(clerk):
    source = await clerk.new_source("held")
    await clerk.queue(A, source_id=source)
    [entry] = (await clerk.claim_one()).entries
    await clerk.run(lambda db: clerk.store.hold_source(db, source))

    await clerk.complete(completion(entry, **RETRY))

    row = await clerk.row(A)
    assert (row["prio"], row["q_at"] is not None) == (-5, True)
