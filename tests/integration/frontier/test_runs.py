"""The entries of a run: each counts once as added and once as settled, whatever happens to it."""

import pytest
from tests.support.make import completion, submission, urls_of

from outrider.frontier.model import EntryKind
from outrider.runs.metrics import waiting
from outrider.runs.store import RunStore
from outrider.urls import key_of

A, B, C = "http://a.test/1", "http://a.test/2", "http://b.test/1"
RETRY = {"reason": "http_500", "status": 500, "retry_in_s": 60, "attempts": 1}
DEAD = {"reason": "not_found", "status": 404}


@pytest.fixture
async def run_id(operator) -> int:
    return await _new_run(operator, "crawl one")


async def _new_run(operator, name: str) -> int:
    source_id = await operator.new_source(name)
    return (await operator.run(lambda db: RunStore().open_for_command(db, source_id))).run_id


async def _counts(operator, run_id: int) -> dict[str, int]:
    found = await operator.run(lambda db: operator.store.run_counts(db, [run_id]))
    return dict(found.get(run_id, {}))


async def _claimed(operator, *urls, **changes):
    await operator.queue(*urls, **changes)
    return {entry.url: entry for lease in await operator.claim() for entry in lease.entries}


async def test_a_claim_names_the_run_of_an_entry(operator, run_id):
    entries = await _claimed(operator, A, run_id=run_id) | await _claimed(operator, C)

    assert (entries[A].run_id, entries[C].run_id) == (run_id, 0)


@pytest.mark.parametrize(
    ("end", "settled"),
    [
        ({}, 1),
        (DEAD, 1),
        ({"moved_to": key_of(C), "status": 301}, 1),
        ({"retry_in_s": 3600}, 1),
        (RETRY, 0),
    ],
    ids=["fetched", "dead", "alias", "only planned for later", "to be tried again"],
)
async def test_an_entry_is_settled_when_nothing_of_it_waits(operator, run_id, end, settled):
    entries = await _claimed(operator, A, run_id=run_id)

    await operator.complete(completion(entries[A], run_id=run_id, **end))

    counts = await _counts(operator, run_id)
    assert (counts["added"], counts.get("settled", 0)) == (1, settled)
    assert counts.get("dead", 0) == (end is DEAD)


async def test_a_poll_settles_a_feed_even_if_it_failed(operator, run_id):
    entries = await _claimed(operator, A, run_id=run_id, kind=EntryKind.FEED)

    await operator.complete(completion(entries[A], run_id=run_id, **RETRY))

    assert waiting(await _counts(operator, run_id)) == 0


async def test_later_visits_of_a_settled_entry_do_not_count_again(operator, run_id):
    entries = await _claimed(operator, A, run_id=run_id)

    for _ in range(3):
        await operator.complete(completion(entries[A], run_id=run_id, retry_in_s=3600))
    await operator.complete(completion(entries[A], run_id=run_id))

    assert await _counts(operator, run_id) == {"added": 1, "settled": 1}


async def test_the_results_of_two_visits_of_one_entry_count_once(operator, run_id):
    """A lease that ran out: both workers report a success."""
    entries = await _claimed(operator, A, run_id=run_id)

    await operator.complete(completion(entries[A], run_id=run_id))
    await operator.complete(completion(entries[A], run_id=run_id))

    assert await _counts(operator, run_id) == {"added": 1, "settled": 1}


async def test_a_page_that_joined_a_run_during_its_visit_is_visited_again_for_the_run(operator, run_id):
    """The visit that was under way took none of its links for the run."""
    entries = await _claimed(operator, A)
    await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], run_id, 1))

    await operator.complete(completion(entries[A], run_id=entries[A].run_id))

    assert (await operator.state(A), await _counts(operator, run_id)) == ("pending", {"added": 1})
    await operator.let_lease_run_out("a.test")
    [lease] = await operator.claim()
    [again] = lease.entries
    await operator.complete(completion(again, run_id=again.run_id))
    assert (await operator.state(A), await _counts(operator, run_id)) == (
        "fetched",
        {"added": 1, "settled": 1},
    )


async def test_a_queued_url_without_a_run_joins_the_run_that_asks(operator, run_id):
    await operator.queue(A, B)
    await operator.queue(A, run_id=run_id)
    await operator.queue(A, run_id=run_id)

    assert await _counts(operator, run_id) == {"added": 1}
    assert {entry.url: entry.run_id for lease in await operator.claim() for entry in lease.entries} == {
        A: run_id,
        B: 0,
    }


async def test_an_entry_of_another_open_run_stays_there_and_rises(operator, run_id):
    other = await _new_run(operator, "crawl two")
    await operator.queue(A, run_id=run_id, priority=3)
    await operator.queue(A, run_id=other, priority=8)

    assert (await _counts(operator, run_id), await _counts(operator, other)) == ({"added": 1}, {})
    [lease] = await operator.claim()
    assert [(entry.run_id, entry.priority) for entry in lease.entries] == [(run_id, 8)]


async def test_a_fetched_url_is_queued_again_for_a_run(operator, run_id):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A]))

    queued = await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], run_id, 1))

    assert (queued, await _counts(operator, run_id)) == (1, {"added": 1})


async def test_a_planned_visit_happens_now_for_a_run(operator, run_id):
    entries = await _claimed(operator, A)
    await operator.complete(completion(entries[A], retry_in_s=3600))

    queued = await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], run_id, 1))

    assert (queued, await _counts(operator, run_id)) == (1, {"added": 1})
    await operator.let_lease_run_out("a.test")
    assert urls_of(await operator.claim()) == [A]


async def test_a_withdrawn_entry_leaves_the_queue_and_keeps_its_attempts(operator, run_id):
    entries = await _claimed(operator, A, run_id=run_id)
    await operator.complete(completion(entries[A], **RETRY))
    await operator.queue(C, run_id=run_id)
    await operator.queue(B)
    await operator.release(*[])
    await operator.let_lease_run_out("a.test")

    gone, host = await operator.run(lambda db: operator.store.withdraw(db, run_id))

    assert (gone, host) == (2, None)
    row = await operator.row(A)
    assert (row["reason"], row["attempts"], await operator.state(A)) == ("cancelled", 1, "dead")
    assert await operator.state(B) == "pending"
    assert await _counts(operator, run_id) == {"added": 2, "settled": 2, "withdrawn": 2}
    totals = await operator.totals()
    assert (totals.pending, totals.dead, totals.others["dead.cancelled"]) == (1, 2, 2)


async def test_entries_of_a_leased_host_are_withdrawn_last(operator, run_id):
    await _claimed(operator, A, run_id=run_id)

    kept = await operator.run(lambda db: operator.store.withdraw(db, run_id))
    gone = await operator.run(lambda db: operator.store.withdraw(db, run_id, leased_too=True))

    assert (kept, gone) == ((0, None), (1, None))


async def test_a_result_after_the_withdrawal_is_kept_and_not_counted_again(operator, run_id):
    entries = await _claimed(operator, A, run_id=run_id)
    await operator.run(lambda db: operator.store.withdraw(db, run_id, leased_too=True))

    await operator.complete(completion(entries[A]))

    assert await operator.state(A) == "fetched"
    assert await _counts(operator, run_id) == {"added": 1, "settled": 1, "withdrawn": 1}


async def test_the_next_run_asks_for_what_was_withdrawn(operator, run_id):
    await operator.queue(A, B, run_id=run_id)
    await operator.run(lambda db: operator.store.withdraw(db, run_id))
    other = await _new_run(operator, "crawl two")

    back = await operator.run(lambda db: operator.store.requeue_withdrawn(db, 1, other))

    assert (back, await _counts(operator, other)) == (2, {"added": 2})
    assert sorted(urls_of(await operator.claim())) == [A, B]


async def test_withdrawal_goes_on_where_a_batch_ended(operator, run_id, monkeypatch):
    from outrider.frontier import runs

    monkeypatch.setattr(runs, "HOSTS_AT_ONCE", 2)
    monkeypatch.setattr(runs, "ENTRIES_AT_ONCE", 2)
    urls = [f"http://h{host}.test/{page}" for host in range(5) for page in range(3)]
    await operator.queue(*urls, run_id=run_id)

    gone, batches, host = 0, 0, runs.FIRST_HOST
    while host is not None:
        entries, host = await operator.run(lambda db, host=host: operator.store.withdraw(db, run_id, host))
        gone, batches = gone + entries, batches + 1

    assert (gone, (await operator.totals()).pending) == (15, 0)
    assert batches > 5


async def test_a_poll_of_a_cancelled_run_waits_and_the_feed_stays(operator, run_id):
    await operator.ingest([submission(A, kind=EntryKind.FEED, run_id=run_id)])

    await operator.run(lambda db: operator.store.withdraw(db, run_id))

    assert await operator.state(A) == "pending"
    assert await operator.claim() == [] or urls_of(await operator.claim()) == []
    assert waiting(await _counts(operator, run_id)) == 0


async def test_what_left_the_queue_without_a_visit_is_counted_as_settled(operator, run_id):
    await operator.queue(A, B, run_id=run_id)
    await operator.run(lambda db: db.execute("DELETE FROM url WHERE url = $1", A))

    corrected = await operator.run(lambda db: operator.store.correct_run(db, run_id))
    again = await operator.run(lambda db: operator.store.correct_run(db, run_id))

    assert (corrected, again) == (1, 0)
    assert waiting(await _counts(operator, run_id)) == 1


@pytest.mark.parametrize("fetched", [False, True], ids=["never fetched", "fetched before"])
async def test_a_cleared_entry_is_settled(operator, run_id, fetched):
    if fetched:
        await operator.queue(A)
        await operator.complete(completion(A))
        await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], run_id, 1))
    else:
        await operator.queue(A, run_id=run_id)
    await operator.queue(B)

    cleared = await operator.run(lambda db: operator.store.clear_pending(db))

    assert (cleared, await _counts(operator, run_id)) == (2, {"added": 1, "settled": 1})
    assert await operator.run(lambda db: operator.store.correct_run(db, run_id)) == 0


@pytest.mark.parametrize("fetched", [False, True], ids=["never fetched", "fetched before"])
async def test_a_cleared_page_of_several_sources_is_settled_when_no_source_waits_for_it(
    operator, run_id, fetched
):
    one, two = await operator.new_source("one"), await operator.new_source("two")
    if fetched:
        await operator.queue(A, source_id=one)
        await operator.queue(A, source_id=two)
        await operator.complete(completion(await _claim_one(operator)))
        await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], run_id, one))
        await operator.run(lambda db: operator.store.visit_again(db, [key_of(A)], two))
        await operator.let_lease_run_out("a.test")
    else:
        await operator.queue(A, source_id=one, run_id=run_id)
        await operator.queue(A, source_id=two)

    await operator.run(lambda db: operator.store.clear_pending(db, one))
    assert waiting(await _counts(operator, run_id)) == 1, "the other source waits for it"

    await operator.run(lambda db: operator.store.clear_pending(db, two))
    assert await _counts(operator, run_id) == {"added": 1, "settled": 1}


async def _claim_one(operator):
    [lease] = await operator.claim()
    return lease.entries[0]


async def test_entries_of_a_removed_source_are_settled_and_stay_queued(operator, run_id):
    source_id = await operator.new_source("gone")
    await operator.queue(A, B, source_id=source_id, run_id=run_id)
    await operator.queue(C, run_id=run_id)

    await operator.run(lambda db: operator.store.hold_source(db, source_id))
    await operator.run(lambda db: operator.store.leave_runs(db, source_id))

    assert await _counts(operator, run_id) == {"added": 3, "left_over": 2, "settled": 2}
    assert (await operator.totals(source_id)).pending == 2


async def test_a_run_that_leaves_its_entries_leaves_those_of_other_sources_too(operator, run_id):
    """Another source had queued the page first. The next run of that source must find it without a run."""
    first = await operator.new_source("first")
    source_id = await operator.run(
        lambda db: db.fetchval("SELECT source_id FROM run WHERE run_id = $1", run_id)
    )
    await operator.queue(A, source_id=first)
    await operator.queue(A, B, source_id=source_id, run_id=run_id)

    await operator.run(lambda db: operator.store.leave_run(db, source_id, run_id))

    assert await _counts(operator, run_id) == {"added": 2, "left_over": 2, "settled": 2}
    other = await _new_run(operator, "crawl two")
    await operator.run(lambda db: operator.store.queue_for_run(db, [key_of(A)], other, first))
    assert await _counts(operator, other) == {"added": 1}
