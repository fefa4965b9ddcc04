"""Queueing links: what is new gets in once, what is known is left alone, hosts learn of it."""

import asyncio

import pytest
from tests.support.make import completion, submission, urls_of

from outrider.frontier.model import Origin, Submitted
from outrider.urls import host_id_of, key_of

A = "http://a.test/1"


async def test_new_urls_are_queued_and_counted(clerk):
    answer = await clerk.queue(A, "http://b.test/1")

    assert answer == Submitted(inserted=2)
    assert (await clerk.totals()).pending == 2
    assert sorted(urls_of(await clerk.claim())) == [A, "http://b.test/1"]


async def test_a_known_url_is_neither_queued_nor_counted_again(clerk):
    await clerk.queue(A)

    assert await clerk.queue(A, "http://a.test/2") == Submitted(inserted=1, known=1)
    assert (await clerk.totals()).pending == 2


async def test_a_url_twice_in_one_batch_gets_in_once(clerk):
    answer = await clerk.ingest([submission(A), submission(A), submission(A, 9)])

    assert answer.inserted == 1
    assert (await clerk.totals()).pending == 1


async def test_eight_workers_that_find_the_same_links_queue_them_once(clerk, hire):
    clerks = [await hire() for _ in range(8)]
    links = [submission(f"http://h{n % 7}.test/{n}") for n in range(100)]

    answers = await asyncio.gather(*(one.ingest(links[k:] + links[:k]) for k, one in enumerate(clerks)))

    assert sum(answer.inserted for answer in answers) == 100
    assert (await clerk.totals()).pending == 100


@pytest.mark.parametrize(
    ("before", "after", "expected", "answer"),
    [
        pytest.param(3, 8, 8, Submitted(raised=1), id="a higher priority wins"),
        pytest.param(8, 3, 8, Submitted(known=1), id="a lower one does not"),
        pytest.param(5, 5, 5, Submitted(known=1), id="an equal one changes nothing"),
    ],
)
async def test_a_pending_url_only_rises(clerk, before, after, expected, answer):
    await clerk.queue(A, priority=before)

    assert await clerk.queue(A, priority=after) == answer
    assert (await clerk.row(A))["prio"] == expected
    assert (await clerk.totals()).pending == 1


async def test_a_raised_url_takes_the_earlier_time_and_the_shorter_way(clerk):
    await clerk.queue(A, priority=3, depth=4)
    await clerk.run(lambda db: db.execute("UPDATE url SET q_at = now() + interval '1 day'"))

    await clerk.queue(A, priority=8, depth=2)

    row = await clerk.run(lambda db: db.fetchrow("SELECT q_at <= now() AS is_due, depth FROM url"))
    assert tuple(row) == (True, 2)


async def test_a_raised_url_keeps_an_earlier_time_and_a_shorter_way(clerk):
    await clerk.queue(A, priority=3, depth=1)
    await clerk.run(lambda db: db.execute("UPDATE url SET q_at = now() - interval '1 day'"))

    await clerk.queue(A, priority=8, depth=2)

    row = await clerk.run(
        lambda db: db.fetchrow("SELECT q_at < now() - interval '1 hour' AS is_older, depth FROM url")
    )
    assert tuple(row) == (True, 1)


async def test_a_raised_url_raises_its_host(clerk):
    await clerk.queue(A, priority=2)
    await clerk.queue("http://b.test/1", priority=5)
    await clerk.queue(A, priority=9)

    assert urls_of(await clerk.claim()) == [A, "http://b.test/1"]


async def _plan_a_visit(clerk, url):
    """It was fetched, and its source wants it again in an hour."""
    await clerk.queue(url)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], retry_in_s=3600))
    await clerk.release(lease)


async def test_what_a_person_asks_for_takes_the_earlier_time(clerk):
    """FRO-05: at the same priority, too."""
    await _plan_a_visit(clerk, A)

    assert await clerk.queue(A) == Submitted(raised=1)

    assert urls_of(await clerk.claim()) == [A]


async def test_what_a_person_asks_for_at_a_lower_priority_keeps_the_higher_one(clerk):
    """FRO-05: the visit comes at once, and the priority of the URL does not fall."""
    await _plan_a_visit(clerk, A)
    before = (await clerk.row(A))["prio"]

    assert await clerk.queue(A, priority=1) == Submitted(raised=1)

    assert (await clerk.row(A))["prio"] == before > 1
    assert urls_of(await clerk.claim()) == [A]


@pytest.mark.parametrize("origin", [Origin.SPIDER, Origin.FEED, Origin.SITEMAP, Origin.DISCOVERED])
async def test_what_links_and_feeds_repeat_does_not_move_a_planned_visit(clerk, origin):
    """Every page links to the front page, and every poll repeats the feed: neither sets the rhythm."""
    await _plan_a_visit(clerk, A)

    await clerk.queue(A, priority=9, origin=origin)

    assert (await clerk.row(A))["prio"] == 9
    assert await clerk.claim() == []


async def test_a_raised_url_that_failed_keeps_its_wait(clerk):
    await clerk.queue(A, priority=2)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], reason="http_500", retry_in_s=3600, attempts=1))
    await clerk.release(lease)

    await clerk.queue(A, priority=9)
    await clerk.queue(A, priority=9)

    assert await clerk.claim() == []


@pytest.mark.parametrize(
    ("end", "state"),
    [
        pytest.param({}, "fetched", id="fetched"),
        pytest.param({"reason": "not_found", "status": 404}, "dead", id="dead"),
        pytest.param({"moved_to": key_of("http://b.test/"), "status": 301}, "alias", id="moved"),
    ],
)
async def test_what_is_finished_is_left_alone(clerk, end, state):
    await clerk.queue(A)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], **end))
    await clerk.release(lease)

    assert await clerk.queue(A, priority=10) == Submitted(known=1)
    assert await clerk.state(A) == state
    assert (await clerk.host("a.test"))["due_at"] is None


async def test_a_held_url_is_not_raised_out_of_its_hold(clerk):
    source = await clerk.new_source("held")
    await clerk.queue(A, source_id=source, priority=4)
    await clerk.run(lambda db: clerk.store.hold_source(db, source))

    assert await clerk.queue(A, source_id=source, priority=9) == Submitted(known=1)
    assert (await clerk.row(A))["prio"] == -4


async def test_a_link_to_a_leased_host_does_not_shorten_the_lease(clerk, hire):
    other = await hire()
    await clerk.queue(A)
    await clerk.claim_one()
    before = await clerk.host("a.test")

    await other.queue("http://a.test/2", priority=10)

    after = await clerk.host("a.test")
    assert (after["due_at"], after["prio"]) == (before["due_at"], before["prio"])
    assert (before["wake"], after["wake"]) == (False, True)


async def test_the_holder_finds_its_own_links_at_the_release(clerk):
    await clerk.queue(A)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0]))
    await clerk.ingest([submission("http://a.test/2")], held=[lease.host_id])
    woken = (await clerk.host("a.test"))["wake"]

    await clerk.release(lease)

    assert woken is False
    assert urls_of(await clerk.claim()) == ["http://a.test/2"]


async def test_a_known_link_does_not_touch_its_host(clerk):
    await clerk.queue(A)
    before = await clerk.run(lambda db: db.fetchval("SELECT xmin::text FROM host"))

    await clerk.queue(A)

    assert await clerk.run(lambda db: db.fetchval("SELECT xmin::text FROM host")) == before


async def test_a_link_does_not_hurry_a_host_that_must_wait(clerk):
    await clerk.queue(A)
    lease = await clerk.claim_one()
    await clerk.release(lease, wait_s=3600)

    await clerk.queue("http://a.test/2", priority=10)

    assert await clerk.claim() == []


async def test_a_new_host_appears_with_its_name(clerk):
    await clerk.queue("http://new.test/", priority=7)

    row = await clerk.run(
        lambda db: db.fetchrow(
            "SELECT i.host, h.prio, h.due_at <= now() AS due FROM host h JOIN host_info i USING (host_id) "
            "WHERE h.host_id = $1",
            host_id_of("new.test"),
        )
    )
    assert dict(row) == {"host": "new.test", "prio": 7, "due": True}


async def test_everything_said_of_a_link_is_stored(clerk):
    await clerk.queue(A)
    link = submission(
        "http://b.test/x",
        6,
        depth=2,
        origin=Origin.SITEMAP,
        parent=key_of(A),
        hops=3,
        via="aa,bb",
    )

    await clerk.ingest([link])

    row = await clerk.row("http://b.test/x")
    assert (row["depth"], row["origin"], row["hops"], row["via"], row["parent_url"]) == (2, 3, 3, "aa,bb", A)


async def test_the_first_source_keeps_a_url(clerk):
    first, second = await clerk.new_source("first"), await clerk.new_source("second")
    await clerk.queue(A, source_id=first)
    await clerk.queue(A, source_id=second, priority=9)

    assert (await clerk.row(A))["source_id"] == first
    assert [(await clerk.totals(source)).pending for source in (first, second, None)] == [1, 1, 1]


async def test_nothing_to_queue_is_no_statement(clerk):
    assert await clerk.ingest([]) == Submitted()
