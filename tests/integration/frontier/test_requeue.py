"""Back into the queue, only when somebody asks: retries, re-crawls, sources held and resumed."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.make import completion, urls_of

from outrider.frontier.model import Kind, Totals
from outrider.urls import UrlKey, host_id_of, key_of

A = "http://a.test/1"
DEAD = {"reason": "not_found", "status": 404}
FIRST = UrlKey(-(2**63), "0" * 32)


async def _finish(clerk, url, **end):
    await clerk.queue(url)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], **end))
    await clerk.release(lease)


@pytest.mark.parametrize(
    "end",
    [DEAD, {}, {"moved_to": key_of("http://b.test/"), "status": 301}],
    ids=["dead", "fetched", "moved"],
)
async def test_what_is_finished_comes_back_as_good_as_new(clerk, end):
    await _finish(clerk, A, **end)

    assert await clerk.requeue(A) == 1

    row = await clerk.row(A)
    assert (row["attempts"], row["reason"], row["redirect_hash"], row["hops"]) == (0, None, None, 0)
    assert await clerk.totals() == Totals(pending=1)
    assert urls_of(await clerk.claim()) == [A]


async def test_the_answer_counts_addresses_not_hosts(clerk):
    urls = [A, "http://a.test/2", "http://b.test/"]
    for url in urls:
        await _finish(clerk, url)

    assert await clerk.requeue(*urls) == 3


async def test_what_is_queued_is_left_alone(clerk):
    await clerk.queue(A, priority=3)

    assert await clerk.requeue(A, "http://unknown.test/", priority=9) == 0
    assert (await clerk.row(A))["prio"] == 3


@pytest.mark.parametrize(("asked", "expected"), [(None, 5), (9, 9)])
async def test_a_requeued_url_may_get_another_priority(clerk, asked, expected):
    await _finish(clerk, A)

    await clerk.requeue(A, priority=asked)

    assert (await clerk.claim_one()).entries[0].priority == expected


async def test_a_requeued_url_waits_for_its_host(clerk):
    await clerk.queue(A, "http://a.test/2")
    lease = await clerk.claim_one()
    await clerk.complete(*(completion(entry, **DEAD) for entry in lease.entries))
    await clerk.release(lease, wait_s=3600)

    await clerk.requeue(A)

    assert await clerk.claim() == []


async def test_a_url_requeued_while_its_host_is_leased_is_found_at_the_release(clerk):
    await clerk.queue(A)
    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], **DEAD))
    due_at = (await clerk.host("a.test"))["due_at"]

    await clerk.requeue(A)

    assert (await clerk.host("a.test"))["due_at"] == due_at
    await clerk.release(lease)
    assert urls_of(await clerk.claim()) == [A]


async def test_robots_txt_is_nothing_to_requeue(clerk):
    robots = "http://a.test/robots.txt"
    await clerk.complete(completion(robots, kind=Kind.ROBOTS))

    assert await clerk.requeue(robots) == 0
    assert await clerk.totals() == Totals()


async def test_a_recrawl_finds_what_was_fetched_before_a_time_page_by_page(clerk):
    urls = [f"http://h{n % 2}.test/{n}" for n in range(5)]
    for url in urls:
        await _finish(clerk, url)
    await _finish(clerk, "http://dead.test/", **DEAD)
    await clerk.queue("http://pending.test/")
    soon = datetime.now(UTC) + timedelta(minutes=1)

    found, after = [], FIRST
    while page := await clerk.run(lambda db, after=after: clerk.store.known_before(db, 1, soon, after, 2)):
        found += page
        after = page[-1]

    assert found == sorted(key_of(url) for url in urls)
    long_ago = soon - timedelta(days=1)
    assert await clerk.run(lambda db: clerk.store.known_before(db, 1, long_ago, FIRST, 10)) == []


async def test_a_resumed_source_gets_its_urls_back_with_their_priorities(clerk):
    source = await clerk.new_source("held")
    await clerk.queue(A, priority=3, source_id=source)
    await clerk.queue("http://b.test/", priority=8, source_id=source)
    await clerk.run(lambda db: clerk.store.hold_source(db, source))
    for lease in await clerk.claim():
        await clerk.release(lease)
    held = await clerk.claim()

    await clerk.run(lambda db: clerk.store.resume_source(db, source))

    assert held == []
    assert [(e.url, e.priority) for lease in await clerk.claim() for e in lease.entries] == [
        ("http://b.test/", 8),
        (A, 3),
    ]
    assert await clerk.totals(source) == Totals(pending=2)


async def test_holding_twice_is_holding_once(clerk):
    source = await clerk.new_source("held")
    await clerk.queue(A, source_id=source)
    for _ in range(2):
        await clerk.run(lambda db: clerk.store.hold_source(db, source))

    assert (await clerk.row(A))["prio"] == -5


async def test_urls_blocked_by_robots_are_listed_in_pages(clerk):
    urls = [f"http://a.test/{n}" for n in range(5)]
    await clerk.queue(*urls, "http://a.test/dead")
    lease = await clerk.claim_one()
    await clerk.complete(
        *(
            completion(entry, reason="robots_blocked" if entry.url in urls else "not_found")
            for entry in lease.entries
        )
    )
    found, after = [], "0" * 32
    while page := await clerk.run(
        lambda db, after=after: clerk.store.blocked_by_robots(db, host_id_of("a.test"), after, 2)
    ):
        found += page
        after = page[-1][0].hash

    assert sorted(url for _, url in found) == urls
    assert [key for key, _ in found] == sorted(key_of(url) for url in urls)
