"""URLs that several sources want: each keeps its first source, and every source is served and counted."""

import asyncio

import pytest
from tests.support.make import completion, submission, urls_of

from outrider.crawl.pages.shared import source_result_of
from outrider.frontier.model import EntryKind, State, Submitted, Totals, UrlOrigin
from outrider.runs.store import RunStore
from outrider.urls import host_id_of, key_of

A, B = "http://a.test/", "http://b.test/"


async def _sources(operator):
    return await operator.new_source("one"), await operator.new_source("two")


async def _hold(operator, source):
    await operator.run(lambda db: operator.store.hold_source(db, source))


async def _resume(operator, source):
    await operator.run(lambda db: operator.store.resume_source(db, source))


async def _wanted_by(operator, url=A):
    """Every source that wants a shared URL, with the state it has for that source."""
    found = await operator.run(lambda db: operator.store.interests(db, [key_of(url)]))
    return {interest.source_id: interest.state for interest in found.get(key_of(url), ())}


async def _pending(operator, *sources):
    return [(await operator.totals(source)).pending for source in sources]


async def _visit(operator, url=A, **end):
    """A worker claims the URL and serves every source that waits for it."""
    lease = await operator.claim_one()
    [entry] = [each for each in lease.entries if each.url == url]
    await _complete(operator, entry, **end)
    await operator.release(lease)


async def _complete(operator, entry, **end):
    done = completion(entry, **end)._replace(shared=entry.shared)
    waiting = [each.source_id for each in entry.interests if each.state is State.PENDING]
    source_results = [source_result_of(done, source, done.retry_in_s) for source in waiting]
    await operator.run(lambda db: operator.store.complete(db, [done], source_results))


async def test_a_url_keeps_the_source_that_asked_first_and_later_ones_are_written_down_once(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)

    for _ in range(2):
        assert await operator.queue(A, source_id=two) == Submitted(known=1)

    assert (await operator.row(A))["source_id"] == one
    assert await _wanted_by(operator) == {one: State.PENDING, two: State.PENDING}
    assert await _pending(operator, one, two, None) == [1, 1, 1], "each source waits, and the queue has one"


async def test_each_source_counts_the_depth_from_its_own_start(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one, depth=3, priority=2)
    await operator.queue(A, source_id=two, depth=1, priority=9)

    [entry] = (await operator.claim_one()).entries

    assert (entry.depth, entry.priority) == (3, 9)
    assert {each.source_id: each.depth for each in entry.interests} == {one: 3, two: 1}


async def test_two_sources_that_find_a_url_at_the_same_moment_are_both_written_down(operator, start_worker):
    """The insert of the second waits for the first, and finds the URL taken."""
    one, two = await _sources(operator)
    other = await start_worker()

    async def ingest_late(db):
        await operator.store.ingest(db, [submission(A, source_id=one)])
        second = asyncio.create_task(other.queue(A, source_id=two))
        await (await start_worker()).until_a_lock_is_awaited()
        return second

    second = await operator.run(ingest_late)

    assert await second == Submitted(known=1)
    assert (await operator.row(A))["source_id"] == one
    assert await _wanted_by(operator) == {one: State.PENDING, two: State.PENDING}


@pytest.mark.parametrize(
    ("end", "state", "totals"),
    [
        ({}, State.FETCHED, Totals(fetched=1)),
        ({"reason": "gone"}, State.DEAD, Totals(dead=1, others={"dead.gone": 1})),
        ({"moved_to": key_of(B)}, State.ALIAS, Totals(aliases=1)),
        ({"reason": "http_500", "retry_in_s": 9, "attempts": 1}, State.PENDING, Totals(pending=1)),
    ],
)
async def test_one_visit_serves_all_sources_that_wait(operator, end, state, totals):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)

    await _visit(operator, **end)

    assert await _wanted_by(operator) == {one: state, two: state}
    assert [await operator.totals(source) for source in (one, two, None)] == [totals] * 3


async def test_a_later_source_has_the_page_that_was_fetched_before(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await _visit(operator)

    assert await operator.queue(A, source_id=two, origin=UrlOrigin.FEED) == Submitted(known=1)

    assert await operator.claim() == []
    assert [await operator.totals(source) for source in (one, two, None)] == [Totals(fetched=1)] * 3


async def test_a_visit_that_one_source_planned_is_not_waited_for_by_another(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await _visit(operator, retry_in_s=900)

    await operator.queue(A, source_id=two, origin=UrlOrigin.SPIDER)

    assert await _wanted_by(operator) == {one: State.PENDING, two: State.FETCHED}
    assert await _pending(operator, one, two, None) == [1, 0, 1]


async def test_a_page_visited_again_for_one_source_is_not_pending_for_the_other(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await _visit(operator)

    assert await operator.run(lambda db: operator.store.visit_again(db, [key_of(A)], two)) == 1

    assert await _pending(operator, one, two, None) == [0, 1, 1]
    [entry] = (await operator.claim_one()).entries
    assert (entry.source_id, entry.depth) == (one, 0)
    assert {each.source_id: each.state for each in entry.interests} == {
        one: State.FETCHED,
        two: State.PENDING,
    }


async def test_who_joins_while_the_page_is_being_visited_gets_a_visit_of_its_own(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    lease = await operator.claim_one()
    await operator.queue(A, source_id=two)

    await _complete(operator, lease.entries[0])
    await operator.release(lease)

    assert await _wanted_by(operator) == {one: State.PENDING, two: State.PENDING}
    await _visit(operator)
    assert await _pending(operator, one, two, None) == [0, 0, 0]


async def test_a_late_failure_changes_nothing_for_any_source(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)
    zombie = await operator.claim_one()
    await operator.let_lease_run_out("a.test")
    await _visit(operator)

    await _complete(operator, zombie.entries[0], reason="gone")

    assert await _wanted_by(operator) == {one: State.FETCHED, two: State.FETCHED}
    assert (await operator.totals()) == Totals(fetched=1)


async def test_what_two_sources_want_survives_the_hold_of_the_first(operator):
    one, two = await _sources(operator)
    await operator.queue(A, B, source_id=one)
    await operator.queue(A, source_id=two)

    await _hold(operator, one)

    assert (await operator.row(A))["source_id"] == one
    assert await _pending(operator, one, two) == [2, 1]
    assert urls_of(await operator.claim()) == [A]


async def test_a_page_of_held_sources_waits_until_one_is_resumed(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)

    await _hold(operator, one)
    assert (await operator.row(A))["prio"] > 0, "the other source waits for it"
    await _hold(operator, two)
    leases = await operator.claim()
    assert urls_of(leases) == []
    await operator.release(*leases)

    await _resume(operator, two)
    assert urls_of(await operator.claim()) == [A]


async def test_a_page_of_a_held_source_is_visited_for_the_next_source(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one, priority=3)
    await _hold(operator, one)

    await operator.queue(A, source_id=two, priority=9)

    row = await operator.row(A)
    assert (row["source_id"], row["prio"]) == (one, 9)
    assert await _pending(operator, one, two, None) == [1, 1, 1]
    assert urls_of(await operator.claim()) == [A]


async def test_a_page_planned_by_a_held_source_is_hidden_again_after_the_visit_for_another(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await _hold(operator, one)
    await operator.queue(A, source_id=two)
    [entry] = (lease := await operator.claim_one()).entries
    done = completion(entry, retry_in_s=0)._replace(shared=entry.shared)
    source_results = [source_result_of(done, one, 0), source_result_of(done, two, None)]

    await operator.run(lambda db: operator.store.complete(db, [done], source_results))
    await operator.release(lease)

    assert await operator.claim() == []
    await _resume(operator, one)
    assert urls_of(await operator.claim()) == [A]


async def test_a_feed_is_not_shared_by_a_link_to_it(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one, kind=EntryKind.FEED)
    await _hold(operator, one)

    await operator.queue(A, source_id=two)

    assert await _wanted_by(operator) == {}
    assert urls_of(await operator.claim()) == []


async def test_what_arrives_for_a_held_source_waits_with_it(operator):
    one, _ = await _sources(operator)
    await _hold(operator, one)

    assert await operator.queue(A, source_id=one) == Submitted(inserted=1)
    assert urls_of(await operator.claim()) == []

    await operator.run(lambda db: operator.store.resume_source(db, one))
    assert urls_of(await operator.claim()) == [A]


@pytest.mark.parametrize("cleared", ["one", "two"])
async def test_clearing_one_source_leaves_the_others_their_pages(operator, cleared):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)
    source, other = (one, two) if cleared == "one" else (two, one)

    assert await operator.run(lambda db: operator.store.clear_pending(db, source)) == 1

    assert await _wanted_by(operator) == {other: State.PENDING}
    assert await _pending(operator, source, other, None) == [0, 1, 1]
    assert urls_of(await operator.claim()) == [A]


@pytest.mark.parametrize("which", [{}, {"host_id": host_id_of("a.test")}])
async def test_clearing_all_sources_deletes_pages_that_were_never_fetched(operator, which):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)

    assert await operator.run(lambda db: operator.store.clear_pending(db, **which)) == 1

    assert await _wanted_by(operator) == {}
    assert [(await operator.totals(source)).known for source in (one, two, None)] == [0, 0, 0]
    assert (await operator.queue(A, source_id=two)).inserted == 1


async def test_a_page_cleared_after_a_visit_stays_fetched_for_all(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)
    await _visit(operator)
    await operator.requeue(A)
    assert await _pending(operator, one, two, None) == [1, 1, 1], "an explicit retry is for all who want it"

    await operator.run(lambda db: operator.store.clear_pending(db, one))
    await operator.run(lambda db: operator.store.clear_pending(db, two))

    assert [await operator.totals(source) for source in (one, two, None)] == [Totals(fetched=1)] * 3


async def test_a_source_gets_its_visit_after_others_had_theirs_without_it(operator):
    """It was disabled, or had reached its page limit, when the page was visited for another."""
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)
    [entry] = (lease := await operator.claim_one()).entries
    done = completion(entry)._replace(shared=entry.shared)
    await operator.run(lambda db: operator.store.complete(db, [done], [source_result_of(done, one, None)]))
    await operator.release(lease)
    assert await operator.claim() == []
    assert await _pending(operator, one, two) == [0, 1]

    await operator.run(lambda db: operator.store.resume_source(db, two))

    assert urls_of(await operator.claim()) == [A]
    assert await _pending(operator, one, two, None) == [0, 1, 1]


async def test_what_is_tried_again_for_a_held_source_waits_with_it(operator):
    one, _ = await _sources(operator)
    await operator.queue(A, source_id=one)
    await _visit(operator, reason="gone")
    await _hold(operator, one)

    assert await operator.requeue(A) == 1
    assert urls_of(await operator.claim()) == []

    await _resume(operator, one)
    assert urls_of(await operator.claim()) == [A]


async def test_a_page_that_turns_out_to_be_a_feed_is_its_first_sources_alone(operator):
    one, two = await _sources(operator)
    await operator.queue(A, source_id=one)
    await operator.queue(A, source_id=two)

    await operator.run(lambda db: operator.store.unshare(db, [key_of(A)]))

    assert await _wanted_by(operator) == {}
    assert await _pending(operator, one, two, None) == [1, 0, 1]


async def test_a_page_that_a_cancelled_run_left_is_queued_for_the_next_source_that_wants_it(operator):
    """A dead page says something about the page; this one was never asked for. Both sources get the visit."""
    one, two = await _sources(operator)
    run = await operator.run(lambda db: RunStore().open_for_command(db, one))
    await operator.queue(A, source_id=one, run_id=run.run_id)
    await operator.run(lambda db: operator.store.withdraw(db, run.run_id))
    assert await operator.state(A) == "dead"

    await operator.queue(A, source_id=two)

    assert await _wanted_by(operator) == {one: State.PENDING, two: State.PENDING}
    assert await _pending(operator, one, two, None) == [1, 1, 1]
    await _visit(operator)
    assert await _wanted_by(operator) == {one: State.FETCHED, two: State.FETCHED}
