"""Queueing links: what is new gets in once, what is known is left alone, hosts learn of it."""

import asyncio

import pytest
from tests.support.make import completion, submission, urls_of

from outrider.frontier.model import Submitted, UrlOrigin
from outrider.urls import host_id_of, key_of

A = "http://a.test/1"


async def test_new_urls_are_queued_and_counted(operator):
    answer = await operator.queue(A, "http://b.test/1")

    assert answer == Submitted(inserted=2)
    assert (await operator.totals()).pending == 2
    assert sorted(urls_of(await operator.claim())) == [A, "http://b.test/1"]


async def test_a_known_url_is_neither_queued_nor_counted_again(operator):
    await operator.queue(A)

    assert await operator.queue(A, "http://a.test/2") == Submitted(inserted=1, known=1)
    assert (await operator.totals()).pending == 2


async def test_a_url_twice_in_one_batch_gets_in_once(operator):
    answer = await operator.ingest([submission(A), submission(A), submission(A, 9)])

    assert answer.inserted == 1
    assert (await operator.totals()).pending == 1


async def test_eight_workers_that_find_the_same_links_queue_them_once(operator, start_worker):
    operators = [await start_worker() for _ in range(8)]
    links = [submission(f"http://h{n % 7}.test/{n}") for n in range(100)]

    answers = await asyncio.gather(*(one.ingest(links[k:] + links[:k]) for k, one in enumerate(operators)))

    assert sum(answer.inserted for answer in answers) == 100
    assert (await operator.totals()).pending == 100


@pytest.mark.parametrize(
    ("before", "after", "expected", "answer"),
    [
        pytest.param(3, 8, 8, Submitted(raised=1), id="a higher priority wins"),
        pytest.param(8, 3, 8, Submitted(known=1), id="a lower one does not"),
        pytest.param(5, 5, 5, Submitted(known=1), id="an equal one changes nothing"),
    ],
)
async def test_a_pending_url_only_rises(operator, before, after, expected, answer):
    await operator.queue(A, priority=before)

    assert await operator.queue(A, priority=after) == answer
    assert (await operator.row(A))["prio"] == expected
    assert (await operator.totals()).pending == 1


async def test_a_raised_url_takes_the_earlier_time_and_the_shorter_way(operator):
    await operator.queue(A, priority=3, depth=4)
    await operator.run(lambda db: db.execute("UPDATE url SET next_fetch_at = now() + interval '1 day'"))

    await operator.queue(A, priority=8, depth=2)

    row = await operator.run(
        lambda db: db.fetchrow("SELECT next_fetch_at <= now() AS is_due, depth FROM url")
    )
    assert tuple(row) == (True, 2)


async def test_a_raised_url_keeps_an_earlier_time_and_a_shorter_way(operator):
    await operator.queue(A, priority=3, depth=1)
    await operator.run(lambda db: db.execute("UPDATE url SET next_fetch_at = now() - interval '1 day'"))

    await operator.queue(A, priority=8, depth=2)

    row = await operator.run(
        lambda db: db.fetchrow("SELECT next_fetch_at < now() - interval '1 hour' AS is_older, depth FROM url")
    )
    assert tuple(row) == (True, 1)


async def test_a_raised_url_raises_its_host(operator):
    await operator.queue(A, priority=2)
    await operator.queue("http://b.test/1", priority=5)
    await operator.queue(A, priority=9)

    assert urls_of(await operator.claim()) == [A, "http://b.test/1"]


async def _plan_a_visit(operator, url):
    """It was fetched, and its source wants it again in an hour."""
    await operator.queue(url)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], retry_in_s=3600))
    await operator.release(lease)


async def test_what_a_person_asks_for_takes_the_earlier_time(operator):
    """FRO-05: at the same priority, too."""
    await _plan_a_visit(operator, A)

    assert await operator.queue(A) == Submitted(raised=1)

    assert urls_of(await operator.claim()) == [A]


async def test_what_a_person_asks_for_at_a_lower_priority_keeps_the_higher_one(operator):
    """FRO-05: the visit comes at once, and the priority of the URL does not fall."""
    await _plan_a_visit(operator, A)
    before = (await operator.row(A))["prio"]

    assert await operator.queue(A, priority=1) == Submitted(raised=1)

    assert (await operator.row(A))["prio"] == before > 1
    assert urls_of(await operator.claim()) == [A]


@pytest.mark.parametrize(
    "origin", [UrlOrigin.SPIDER, UrlOrigin.FEED, UrlOrigin.SITEMAP, UrlOrigin.DISCOVERED]
)
async def test_what_links_and_feeds_repeat_does_not_move_a_planned_visit(operator, origin):
    """Every page links to the front page, and every poll repeats the feed: neither sets the rhythm."""
    await _plan_a_visit(operator, A)

    await operator.queue(A, priority=9, origin=origin)

    assert (await operator.row(A))["prio"] == 9
    assert await operator.claim() == []


async def test_a_raised_url_that_failed_keeps_its_wait(operator):
    await operator.queue(A, priority=2)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], reason="http_500", retry_in_s=3600, attempts=1))
    await operator.release(lease)

    await operator.queue(A, priority=9)
    await operator.queue(A, priority=9)

    assert await operator.claim() == []


@pytest.mark.parametrize(
    ("end", "state"),
    [
        pytest.param({}, "fetched", id="fetched"),
        pytest.param({"reason": "not_found", "status": 404}, "dead", id="dead"),
        pytest.param({"moved_to": key_of("http://b.test/"), "status": 301}, "alias", id="moved"),
    ],
)
async def test_what_is_finished_is_left_alone(operator, end, state):
    await operator.queue(A)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], **end))
    await operator.release(lease)

    assert await operator.queue(A, priority=10) == Submitted(known=1)
    assert await operator.state(A) == state
    assert (await operator.host("a.test"))["due_at"] is None


async def test_a_held_url_is_not_raised_out_of_its_hold(operator):
    source = await operator.new_source("held")
    await operator.queue(A, source_id=source, priority=4)
    await operator.run(lambda db: operator.store.hold_source(db, source))

    assert await operator.queue(A, source_id=source, priority=9) == Submitted(known=1)
    assert (await operator.row(A))["prio"] == -4


async def test_a_link_to_a_leased_host_does_not_shorten_the_lease(operator, start_worker):
    other = await start_worker()
    await operator.queue(A)
    await operator.claim_one()
    before = await operator.host("a.test")

    await other.queue("http://a.test/2", priority=10)

    after = await operator.host("a.test")
    assert (after["due_at"], after["prio"]) == (before["due_at"], before["prio"])
    assert (before["wake"], after["wake"]) == (False, True)


async def test_the_worker_finds_its_own_links_at_the_release(operator):
    await operator.queue(A)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0]))
    await operator.ingest([submission("http://a.test/2")], held=[lease.host_id])
    woken = (await operator.host("a.test"))["wake"]

    await operator.release(lease)

    assert woken is False
    assert urls_of(await operator.claim()) == ["http://a.test/2"]


async def test_a_known_link_does_not_touch_its_host(operator):
    await operator.queue(A)
    before = await operator.run(lambda db: db.fetchval("SELECT xmin::text FROM host"))

    await operator.queue(A)

    assert await operator.run(lambda db: db.fetchval("SELECT xmin::text FROM host")) == before


async def test_a_link_does_not_hurry_a_host_that_must_wait(operator):
    await operator.queue(A)
    lease = await operator.claim_one()
    await operator.release(lease, wait_s=3600)

    await operator.queue("http://a.test/2", priority=10)

    assert await operator.claim() == []


async def test_a_new_host_appears_with_its_name(operator):
    await operator.queue("http://new.test/", priority=7)

    row = await operator.run(
        lambda db: db.fetchrow(
            "SELECT i.host, h.prio, h.due_at <= now() AS due FROM host h JOIN host_info i USING (host_id) "
            "WHERE h.host_id = $1",
            host_id_of("new.test"),
        )
    )
    assert dict(row) == {"host": "new.test", "prio": 7, "due": True}


async def test_everything_said_of_a_link_is_stored(operator):
    await operator.queue(A)
    link = submission(
        "http://b.test/x",
        6,
        depth=2,
        origin=UrlOrigin.SITEMAP,
        parent=key_of(A),
        hops=3,
        via="aa,bb",
    )

    await operator.ingest([link])

    row = await operator.row("http://b.test/x")
    assert (row["depth"], row["origin"], row["hops"], row["via"], row["parent_url"]) == (2, 3, 3, "aa,bb", A)


async def test_the_first_source_keeps_a_url(operator):
    first, second = await operator.new_source("first"), await operator.new_source("second")
    await operator.queue(A, source_id=first)
    await operator.queue(A, source_id=second, priority=9)

    assert (await operator.row(A))["source_id"] == first
    assert [(await operator.totals(source)).pending for source in (first, second, None)] == [1, 1, 1]


async def test_nothing_to_queue_is_no_statement(operator):
    assert await operator.ingest([]) == Submitted()
