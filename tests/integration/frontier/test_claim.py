"""Who gets what: due hosts by priority, each leased once, whatever else is queued."""

import asyncio
import re

import pytest
from tests.support.make import completion, draft, keep_documents, submission, urls_of

from outrider.frontier.options import FrontierOptions
from outrider.urls import host_id_of, host_of


async def test_the_best_priority_comes_first_then_what_waits_longest(operator):
    await operator.queue("http://low.test/", priority=2)
    await operator.queue("http://early.test/", priority=7)
    await operator.queue("http://late.test/", priority=7)
    await operator.queue("http://top.test/", priority=10)

    leases = await operator.claim()

    assert [lease.host for lease in leases] == ["top.test", "early.test", "late.test", "low.test"]


async def test_within_a_host_urls_come_in_the_same_order(operator):
    await operator.queue("http://a.test/low", priority=1)
    await operator.queue("http://a.test/first", priority=6)
    await operator.queue("http://a.test/second", priority=6)
    await operator.queue("http://a.test/top", priority=9)

    [lease] = await operator.claim()

    assert urls_of([lease]) == [f"http://a.test/{name}" for name in ("top", "first", "second", "low")]


async def test_a_claim_takes_no_more_hosts_than_asked_for(operator):
    await operator.ingest([submission(f"http://h{n}.test/", priority=1 + n % 10) for n in range(20)])

    first, rest = await operator.claim(4), await operator.claim(64)

    assert len(first) == 4
    assert len(rest) == 16
    assert {lease.host for lease in first}.isdisjoint(lease.host for lease in rest)


async def test_a_lease_brings_no_more_urls_than_configured(start_worker):
    operator = await start_worker(FrontierOptions(urls_per_host=3))
    await operator.queue(*(f"http://a.test/{n}" for n in range(10)))

    [lease] = await operator.claim()

    assert len(lease.entries) == 3


async def test_what_is_not_due_yet_stays(operator):
    await operator.queue("http://a.test/now", "http://a.test/later")
    await operator.run(
        lambda db: db.execute(
            "UPDATE url SET next_fetch_at = now() + interval '1 hour' WHERE url = 'http://a.test/later'"
        )
    )

    assert urls_of(await operator.claim()) == ["http://a.test/now"]


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param({"due_at": "now() + interval '1 minute'"}, id="a host whose delay is not over"),
        pytest.param({"due_at": "'infinity'", "next_allowed_at": "'infinity'"}, id="a blocked host"),
        pytest.param({"due_at": "NULL"}, id="a host without anything due"),
    ],
)
async def test_hosts_that_may_not_be_asked_are_not_claimed(operator, columns):
    await operator.queue("http://waits.test/", priority=10)
    await operator.queue("http://ready.test/", priority=1)
    await operator.set_host("waits.test", **columns)

    assert urls_of(await operator.claim()) == ["http://ready.test/"]
    assert (await operator.row("http://waits.test/"))["attempts"] == 0


async def test_a_link_to_a_blocked_host_does_not_unblock_it(operator):
    await operator.queue("http://a.test/1")
    await operator.set_host("a.test", due_at="NULL", next_allowed_at="'infinity'")

    await operator.queue("http://a.test/2", priority=10)

    assert await operator.claim() == []


async def test_urls_of_a_held_source_are_not_handed_out(operator):
    held = await operator.new_source("held")
    await operator.queue("http://a.test/held", source_id=held)
    await operator.queue("http://a.test/free")
    await operator.run(lambda db: operator.store.hold_source(db, held))
    await operator.queue("http://a.test/new", source_id=held)

    assert urls_of(await operator.claim()) == ["http://a.test/free"]


async def test_a_leased_host_is_not_claimed_again(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/1")
    lease = await operator.claim_one()
    await operator.queue("http://a.test/2", priority=10)

    assert await other.claim() == []
    assert lease.seq == (await operator.host("a.test"))["lease_seq"]


async def test_eight_claimers_share_hosts_without_overlap(operator, start_worker):
    operators = [await start_worker() for _ in range(8)]
    await operator.ingest([submission(f"http://h{n}.test/", priority=1 + n % 10) for n in range(200)])

    async def claim_until_empty(one):
        taken = []
        while leases := await one.claim(8):
            taken += leases
        return taken

    taken = await asyncio.gather(*(claim_until_empty(one) for one in operators))

    hosts = [lease.host for leases in taken for lease in leases]
    assert len(hosts) == len(set(hosts)) == 200
    owners = await operator.run(lambda db: db.fetch("SELECT host_id, lease_owner FROM host"))
    for one, leases in zip(operators, taken, strict=True):
        mine = {row["host_id"] for row in owners if row["lease_owner"] == one.store.worker_id}
        assert mine == {lease.host_id for lease in leases}


async def test_a_claim_does_not_write_url_rows(operator):
    await operator.queue("http://a.test/1", "http://a.test/2")
    version = "SELECT url, xmin::text, ctid::text FROM url ORDER BY url"
    before = await operator.run(lambda db: db.fetch(version))

    await operator.claim()

    assert await operator.run(lambda db: db.fetch(version)) == before


async def test_a_claim_knows_the_validators_of_what_was_fetched_before(operator):
    url = "http://a.test/"
    await operator.queue(url)
    lease = await operator.claim_one()
    page = draft(url, etag='"tag"', last_modified="yesterday")
    await operator.run(lambda db: keep_documents(db, [page], operator.store.slot))
    await operator.complete(completion(lease.entries[0]))
    await operator.release(lease)
    await operator.requeue(url)

    [entry] = (await operator.claim_one()).entries

    assert (lease.entries[0].etag, lease.entries[0].fetches) == (None, 0)
    assert (entry.etag, entry.last_modified, entry.fetches) == ('"tag"', "yesterday", 1)


async def test_a_claim_knows_the_hash_of_a_text_that_is_stored(operator):
    """Only if the document holds the text itself. A copy stores it when its original changes."""
    original, copy = "http://a.test/1", "http://a.test/2"
    await operator.queue(original, copy)
    lease = await operator.claim_one()
    pages = [draft(original, "The same words."), draft(copy, "The same words.")]
    await operator.run(lambda db: keep_documents(db, pages, operator.store.slot))
    for entry in lease.entries:
        await operator.complete(completion(entry))
    await operator.release(lease)
    await operator.requeue(original)
    await operator.requeue(copy)

    known = {entry.url: entry.content_hash for entry in (await operator.claim_one()).entries}

    assert [entry.content_hash for entry in lease.entries] == [None, None]
    assert known == {original: pages[0].content_hash, copy: None}


@pytest.mark.parametrize(
    ("hosts", "own", "taken"),
    [
        (0, {"mine.test"}, ["mine.test"]),
        (1, {"mine.test"}, ["mine.test", "urgent.test"]),
        (16, {"mine.test", "urgent.test"}, ["mine.test", "urgent.test", "usual.test"]),
        (16, {"taken.test", "resting.test", "nowhere.test"}, ["mine.test", "urgent.test", "usual.test"]),
        (0, set(), []),
    ],
)
async def test_a_worker_takes_its_own_hosts_back_before_it_looks_for_others(
    operator, start_worker, hosts, own, taken
):
    await operator.queue("http://taken.test/", "http://resting.test/")
    for lease in await (await start_worker()).claim():
        if lease.host == "resting.test":
            await operator.release(lease, wait_s=60)
    await operator.queue("http://mine.test/", "http://usual.test/")
    await operator.queue("http://urgent.test/", priority=10)

    leases = await operator.claim(hosts, own={host_id_of(host) for host in own})

    assert sorted(lease.host for lease in leases) == taken


async def test_a_giant_host_does_not_change_what_others_get(operator, start_worker):
    others = [f"http://h{n}.test/" for n in range(10)]
    await operator.ingest([submission(url, priority=3) for url in others])
    alone = await _buffers_of_a_claim(operator)
    await _queue_giant(operator)

    crowded = await _buffers_of_a_claim(operator)
    leases = await (await start_worker()).claim()

    assert crowded < 2 * alone
    assert {lease.host for lease in leases} == {"giant.test", *map(host_of, others)}
    assert [len(lease.entries) for lease in leases] == [24] + [1] * 10


async def test_a_throttled_giant_is_skipped_without_looking_at_its_urls(operator):
    await operator.queue("http://free.test/", priority=1)
    await _queue_giant(operator)
    await operator.set_host("giant.test", due_at="now() + interval '1 hour'")

    buffers = await _buffers_of_a_claim(operator)

    assert buffers < 100
    assert urls_of(await operator.claim()) == ["http://free.test/"]


async def _queue_giant(operator) -> None:
    """20,000 URLs of one host, first by priority."""
    await operator.queue("http://giant.test/", priority=10)
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO url (host_id, url_hash, url, prio, next_fetch_at) SELECT $1, gen_random_uuid(), "
            "'http://giant.test/' || n, 10, now() FROM generate_series(1, 20000) n",
            host_id_of("giant.test"),
        )
    )


async def _buffers_of_a_claim(operator) -> int:
    """Pages of memory one claim looks at; the claim itself is undone."""
    text = "EXPLAIN (ANALYZE, BUFFERS) " + operator.store._claim_text(16)
    marks = operator.store._low_water.marks(0)

    async def explain(db):
        transaction = db.transaction()
        await transaction.start()
        try:
            return [row[0] for row in await db.fetch(text, operator.store.worker_id, 90.0, marks, None, [])]
        finally:
            await transaction.rollback()

    plan = await operator.run(explain)
    assert not [line for line in plan if "Seq Scan" in line], "the claim walks indexes"
    return int(re.search(r"shared hit=(\d+)", next(line for line in plan if "Buffers" in line))[1])
