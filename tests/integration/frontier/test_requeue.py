"""Back into the queue, only when somebody asks: retries, re-crawls, sources held and resumed."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.make import completion, urls_of

from outrider.frontier.model import EntryKind, Totals
from outrider.urls import UrlKey, host_id_of, key_of

A = "http://a.test/1"
DEAD = {"reason": "not_found", "status": 404}
FIRST = UrlKey(-(2**63), "0" * 32)


async def _finish(operator, url, **end):
    await operator.queue(url)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], **end))
    await operator.release(lease)


@pytest.mark.parametrize(
    "end",
    [DEAD, {}, {"moved_to": key_of("http://b.test/"), "status": 301}],
    ids=["dead", "fetched", "moved"],
)
async def test_a_requeued_entry_has_the_state_of_a_new_entry(operator, end):
    await _finish(operator, A, **end)

    assert await operator.requeue(A) == 1

    row = await operator.row(A)
    assert (row["attempts"], row["reason"], row["redirect_hash"], row["hops"]) == (0, None, None, 0)
    assert await operator.totals() == Totals(pending=1)
    assert urls_of(await operator.claim()) == [A]


async def test_the_answer_counts_addresses_not_hosts(operator):
    urls = [A, "http://a.test/2", "http://b.test/"]
    for url in urls:
        await _finish(operator, url)

    assert await operator.requeue(*urls) == 3


async def test_what_is_queued_is_left_alone(operator):
    await operator.queue(A, priority=3)

    assert await operator.requeue(A, "http://unknown.test/", priority=9) == 0
    assert (await operator.row(A))["prio"] == 3


@pytest.mark.parametrize(("asked", "expected"), [(None, 5), (9, 9)])
async def test_a_requeued_url_may_get_another_priority(operator, asked, expected):
    await _finish(operator, A)

    await operator.requeue(A, priority=asked)

    assert (await operator.claim_one()).entries[0].priority == expected


async def test_a_requeued_url_waits_for_its_host(operator):
    await operator.queue(A, "http://a.test/2")
    lease = await operator.claim_one()
    await operator.complete(*(completion(entry, **DEAD) for entry in lease.entries))
    await operator.release(lease, wait_s=3600)

    await operator.requeue(A)

    assert await operator.claim() == []


async def test_a_url_requeued_while_its_host_is_leased_is_found_at_the_release(operator):
    await operator.queue(A)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], **DEAD))
    due_at = (await operator.host("a.test"))["due_at"]

    await operator.requeue(A)

    assert (await operator.host("a.test"))["due_at"] == due_at
    await operator.release(lease)
    assert urls_of(await operator.claim()) == [A]


async def test_robots_txt_is_nothing_to_requeue(operator):
    robots = "http://a.test/robots.txt"
    await operator.complete(completion(robots, kind=EntryKind.ROBOTS))

    assert await operator.requeue(robots) == 0
    assert await operator.totals() == Totals()


async def test_a_recrawl_finds_what_was_fetched_before_a_time_page_by_page(operator):
    urls = [f"http://h{n % 2}.test/{n}" for n in range(5)]
    for url in urls:
        await _finish(operator, url)
    await _finish(operator, "http://dead.test/", **DEAD)
    await operator.queue("http://pending.test/")
    soon = datetime.now(UTC) + timedelta(minutes=1)

    found, after = [], FIRST
    while page := await operator.run(
        lambda db, after=after: operator.store.known_before(db, 1, soon, after, 2)
    ):
        found += page
        after = page[-1]

    assert found == sorted(key_of(url) for url in urls)
    long_ago = soon - timedelta(days=1)
    assert await operator.run(lambda db: operator.store.known_before(db, 1, long_ago, FIRST, 10)) == []


async def test_a_resumed_source_gets_its_urls_back_with_their_priorities(operator):
    source = await operator.new_source("held")
    await operator.queue(A, priority=3, source_id=source)
    await operator.queue("http://b.test/", priority=8, source_id=source)
    await operator.run(lambda db: operator.store.hold_source(db, source))
    for lease in await operator.claim():
        await operator.release(lease)
    held = await operator.claim()

    await operator.run(lambda db: operator.store.resume_source(db, source))

    assert held == []
    assert [(e.url, e.priority) for lease in await operator.claim() for e in lease.entries] == [
        ("http://b.test/", 8),
        (A, 3),
    ]
    assert await operator.totals(source) == Totals(pending=2)


async def test_holding_twice_is_holding_once(operator):
    source = await operator.new_source("held")
    await operator.queue(A, source_id=source)
    for _ in range(2):
        await operator.run(lambda db: operator.store.hold_source(db, source))

    assert (await operator.row(A))["prio"] == -5


async def test_urls_blocked_by_robots_are_listed_in_pages(operator):
    urls = [f"http://a.test/{n}" for n in range(5)]
    await operator.queue(*urls, "http://a.test/dead")
    lease = await operator.claim_one()
    await operator.complete(
        *(
            completion(entry, reason="robots_blocked" if entry.url in urls else "not_found")
            for entry in lease.entries
        )
    )
    found, after = [], "0" * 32
    while page := await operator.run(
        lambda db, after=after: operator.store.blocked_by_robots(db, host_id_of("a.test"), after, 2)
    ):
        found += page
        after = page[-1][0].hash

    assert sorted(url for _, url in found) == urls
    assert [key for key, _ in found] == sorted(key_of(url) for url in urls)
