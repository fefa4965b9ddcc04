"""Who gets what: due hosts by priority, each leased once, whatever else is queued."""

import asyncio
import re

import pytest
from tests.support.make import completion, draft, submission, urls_of

from outrider.documents.store import DocumentStore
from outrider.frontier.options import FrontierOptions
from outrider.urls import host_id_of, host_of


async def test_the_best_priority_comes_first_then_what_waits_longest(clerk):
    await clerk.queue("http://low.test/", priority=2)
    await clerk.queue("http://early.test/", priority=7)
    await clerk.queue("http://late.test/", priority=7)
    await clerk.queue("http://top.test/", priority=10)

    leases = await clerk.claim()

    assert [lease.host for lease in leases] == ["top.test", "early.test", "late.test", "low.test"]


async def test_within_a_host_urls_come_in_the_same_order(clerk):
    await clerk.queue("http://a.test/low", priority=1)
    await clerk.queue("http://a.test/first", priority=6)
    await clerk.queue("http://a.test/second", priority=6)
    await clerk.queue("http://a.test/top", priority=9)

    [lease] = await clerk.claim()

    assert urls_of([lease]) == [f"http://a.test/{name}" for name in ("top", "first", "second", "low")]


async def test_a_claim_takes_no_more_hosts_than_asked_for(clerk):
    await clerk.ingest([submission(f"http://h{n}.test/", priority=1 + n % 10) for n in range(20)])

    first, rest = await clerk.claim(4), await clerk.claim(64)

    assert len(first) == 4
    assert len(rest) == 16
    assert {lease.host for lease in first}.isdisjoint(lease.host for lease in rest)


async def test_a_lease_brings_no_more_urls_than_configured(hire):
    clerk = await hire(FrontierOptions(urls_per_host=3))
    await clerk.queue(*(f"http://a.test/{n}" for n in range(10)))

    [lease] = await clerk.claim()

    assert len(lease.entries) == 3


async def test_what_is_not_due_yet_stays(clerk):
    await clerk.queue("http://a.test/now", "http://a.test/later")
    await clerk.run(
        lambda db: db.execute(
            "UPDATE url SET q_at = now() + interval '1 hour' WHERE url = 'http://a.test/later'"
        )
    )

    assert urls_of(await clerk.claim()) == ["http://a.test/now"]


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param({"due_at": "now() + interval '1 minute'"}, id="a host whose delay is not over"),
        pytest.param({"due_at": "'infinity'", "next_allowed_at": "'infinity'"}, id="a blocked host"),
        pytest.param({"due_at": "NULL"}, id="a host without anything due"),
    ],
)
async def test_hosts_that_may_not_be_asked_are_not_claimed(clerk, columns):
    await clerk.queue("http://waits.test/", priority=10)
    await clerk.queue("http://ready.test/", priority=1)
    await clerk.set_host("waits.test", **columns)

    assert urls_of(await clerk.claim()) == ["http://ready.test/"]
    assert (await clerk.row("http://waits.test/"))["attempts"] == 0


async def test_a_link_to_a_blocked_host_does_not_unblock_it(clerk):
    await clerk.queue("http://a.test/1")
    await clerk.set_host("a.test", due_at="NULL", next_allowed_at="'infinity'")

    await clerk.queue("http://a.test/2", priority=10)

    assert await clerk.claim() == []


async def test_urls_of_a_held_source_are_not_handed_out(clerk):
    held = await clerk.new_source("held")
    await clerk.queue("http://a.test/held", source_id=held)
    await clerk.queue("http://a.test/free")
    await clerk.run(lambda db: clerk.store.hold_source(db, held))

    assert urls_of(await clerk.claim()) == ["http://a.test/free"]


async def test_a_leased_host_is_nobody_elses(clerk, hire):
    other = await hire()
    await clerk.queue("http://a.test/1")
    lease = await clerk.claim_one()
    await clerk.queue("http://a.test/2", priority=10)

    assert await other.claim() == []
    assert lease.seq == (await clerk.host("a.test"))["lease_seq"]


async def test_eight_claimers_share_hosts_without_overlap(clerk, hire):
    clerks = [await hire() for _ in range(8)]
    await clerk.ingest([submission(f"http://h{n}.test/", priority=1 + n % 10) for n in range(200)])

    async def claim_until_empty(one):
        taken = []
        while leases := await one.claim(8):
            taken += leases
        return taken

    taken = await asyncio.gather(*(claim_until_empty(one) for one in clerks))

    hosts = [lease.host for leases in taken for lease in leases]
    assert len(hosts) == len(set(hosts)) == 200
    owners = await clerk.run(lambda db: db.fetch("SELECT host_id, lease_owner FROM host"))
    for one, leases in zip(clerks, taken, strict=True):
        mine = {row["host_id"] for row in owners if row["lease_owner"] == one.store.worker_id}
        assert mine == {lease.host_id for lease in leases}


async def test_a_claim_does_not_write_url_rows(clerk):
    await clerk.queue("http://a.test/1", "http://a.test/2")
    version = "SELECT url, xmin::text, ctid::text FROM url ORDER BY url"
    before = await clerk.run(lambda db: db.fetch(version))

    await clerk.claim()

    assert await clerk.run(lambda db: db.fetch(version)) == before


async def test_a_claim_knows_the_validators_of_what_was_fetched_before(clerk):
    url = "http://a.test/"
    await clerk.queue(url)
    lease = await clerk.claim_one()
    page = draft(url, etag='"tag"', last_modified="yesterday")
    await clerk.run(lambda db: DocumentStore().keep(db, [page], clerk.store.slot))
    await clerk.complete(completion(lease.entries[0]))
    await clerk.release(lease)
    await clerk.requeue(url)

    [entry] = (await clerk.claim_one()).entries

    assert (lease.entries[0].etag, lease.entries[0].fetches) == (None, 0)
    assert (entry.etag, entry.last_modified, entry.fetches) == ('"tag"', "yesterday", 1)


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
async def test_a_worker_takes_its_own_hosts_back_before_it_looks_for_others(clerk, hire, hosts, own, taken):
    await clerk.queue("http://taken.test/", "http://resting.test/")
    for lease in await (await hire()).claim():
        if lease.host == "resting.test":
            await clerk.release(lease, wait_s=60)
    await clerk.queue("http://mine.test/", "http://usual.test/")
    await clerk.queue("http://urgent.test/", priority=10)

    leases = await clerk.claim(hosts, own={host_id_of(host) for host in own})

    assert sorted(lease.host for lease in leases) == taken


async def test_a_giant_host_does_not_change_what_others_get(clerk, hire):
    others = [f"http://h{n}.test/" for n in range(10)]
    await clerk.ingest([submission(url, priority=3) for url in others])
    alone = await _buffers_of_a_claim(clerk)
    await _queue_giant(clerk)

    crowded = await _buffers_of_a_claim(clerk)
    leases = await (await hire()).claim()

    assert crowded < 2 * alone
    assert {lease.host for lease in leases} == {"giant.test", *map(host_of, others)}
    assert [len(lease.entries) for lease in leases] == [24] + [1] * 10


async def test_a_throttled_giant_is_skipped_without_looking_at_its_urls(clerk):
    await clerk.queue("http://free.test/", priority=1)
    await _queue_giant(clerk)
    await clerk.set_host("giant.test", due_at="now() + interval '1 hour'")

    buffers = await _buffers_of_a_claim(clerk)

    assert buffers < 100
    assert urls_of(await clerk.claim()) == ["http://free.test/"]


async def _queue_giant(clerk) -> None:
    """20,000 URLs of one host, first by priority."""
    await clerk.queue("http://giant.test/", priority=10)
    await clerk.run(
        lambda db: db.execute(
            "INSERT INTO url (host_id, url_hash, url, prio, q_at) SELECT $1, gen_random_uuid(), "
            "'http://giant.test/' || n, 10, now() FROM generate_series(1, 20000) n",
            host_id_of("giant.test"),
        )
    )


async def _buffers_of_a_claim(clerk) -> int:
    """Pages of memory one claim looks at; the claim itself is undone."""
    text = "EXPLAIN (ANALYZE, BUFFERS) " + clerk.store._claim_text(16)
    marks = clerk.store._low_water.marks(0)

    async def explain(db):
        transaction = db.transaction()
        await transaction.start()
        try:
            return [row[0] for row in await db.fetch(text, clerk.store.worker_id, 90.0, marks, None, [])]
        finally:
            await transaction.rollback()

    plan = await clerk.run(explain)
    assert not [line for line in plan if "Seq Scan" in line], "the claim walks indexes"
    return int(re.search(r"shared hit=(\d+)", next(line for line in plan if "Buffers" in line))[1])
