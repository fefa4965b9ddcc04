"""Workers whose batches cross get in each other's way, and none of them hears of it."""

import asyncio
import random

import pytest
from tests.support.make import completion, submission

from outrider.crawl.pages.shared import source_result_of

HOSTS = 6
ROUNDS = 25
RETRY = {"reason": "http_500", "retry_in_s": 0, "attempts": 1}


@pytest.fixture
async def operators(operator, start_worker):
    """Four workers on a database that notices deadlocks quickly."""
    await operator.run(
        lambda db: db.execute(
            "DO $$ BEGIN EXECUTE "
            "format('ALTER DATABASE %I SET deadlock_timeout = 20', current_database()); END $$"
        )
    )
    return [await start_worker() for _ in range(4)]


async def test_the_loser_of_a_deadlock_writes_its_batch_a_moment_later(operator, operators):
    """Forced: each completes its own URL, waits for the other to have done so, then raises the other's."""
    urls = ["http://a.test/1", "http://b.test/1"]
    await operator.queue(*urls, priority=1)
    entries = {entry.url: entry for lease in await operator.claim() for entry in lease.entries}
    both_wrote = asyncio.Barrier(2)
    attempts = []

    async def flush(one, mine, other):
        async def write(db):
            attempts.append(one)
            await one.store.complete(db, [completion(entries[mine], **RETRY)])
            if attempts.count(one) == 1:
                await both_wrote.wait()
            await one.store.ingest(db, [submission(other, 9)])

        await one.run(write)

    async with asyncio.timeout(30):
        await asyncio.gather(flush(operators[0], *urls), flush(operators[1], *reversed(urls)))

    assert len(attempts) == 3
    assert [(row["prio"], row["attempts"]) for row in [await operator.row(url) for url in urls]] == [
        (9, 1)
    ] * 2


async def test_sources_that_cross_share_everything_and_are_counted_right(operator, operators):
    """Each worker finds, for a source of its own, what the others find and complete at the same time."""
    urls = [f"http://h{n % HOSTS}.test/{n}" for n in range(24)]
    sources = [await operator.new_source(f"source {n}") for n in range(len(operators))]

    async def flush_often(one, source, dice):
        for number in range(1, ROUNDS + 1):
            links = [submission(url, source_id=source) for url in dice.sample(urls, 8)]
            leases = await one.claim(1)
            entries = [entry for lease in leases for entry in lease.entries]
            done = [completion(entry)._replace(shared=entry.shared) for entry in entries]
            source_results = [
                source_result_of(end, interest.source_id, None)
                for entry, end in zip(entries, done, strict=True)
                for interest in entry.interests
            ]

            async def write(db, number=number, done=done, source_results=source_results, links=links):
                assert await one.store.begin_flush(db, number)
                await one.store.complete(db, done, source_results)
                await one.store.ingest(db, links)

            await one.run(write)
            await one.release(*leases)

    async with asyncio.timeout(100):
        crossing = zip(operators, sources, strict=True)
        await asyncio.gather(*(flush_often(one, of, random.Random(of)) for one, of in crossing))

    rows = await operator.run(
        lambda db: db.fetch("SELECT source_id, state, count(*) AS n FROM url_source GROUP BY 1, 2")
    )
    scanned = {(row["source_id"], row["state"]): row["n"] for row in rows}
    for source in sources:
        totals = await operator.totals(source)
        assert totals.known == len(urls)
        assert (totals.pending, totals.fetched) == (scanned.get((source, 1), 0), scanned.get((source, 2), 0))
    assert (await operator.totals()).known == len(urls)
    lost = (
        "SELECT count(*) FROM url_source w JOIN url u USING (host_id, url_hash) "
        "WHERE state = 1 AND next_fetch_at IS NULL"
    )
    assert await operator.run(lambda db: db.fetchval(lost)) == 0


async def test_crossing_batches_all_get_through(operator, operators):
    """Each flush completes some URLs and raises others: locks in every order there is."""
    urls = [f"http://h{n % HOSTS}.test/{n}" for n in range(48)]
    await operator.ingest([submission(url, 1) for url in urls])
    entries = [entry for lease in await operator.claim() for entry in lease.entries]

    async def flush_often(one, dice):
        for number in range(1, ROUNDS + 1):
            done = dice.sample(entries, 12)
            links = [submission(url, 2 + number % 9) for url in dice.sample(urls, 24)]
            links += [submission(f"http://h{dice.randrange(HOSTS)}.test/new/{dice.randrange(200)}")]

            async def write(db, number=number, done=done, links=links):
                assert await one.store.begin_flush(db, number)
                await one.store.complete(db, [completion(entry, **RETRY) for entry in done])
                await one.store.ingest(db, links)

            await one.run(write)

    await asyncio.gather(*(flush_often(one, random.Random(n)) for n, one in enumerate(operators)))

    flushed = await operator.run(lambda db: db.fetch("SELECT flushed FROM worker WHERE flushed > 0"))
    assert [row["flushed"] for row in flushed] == [ROUNDS] * len(operators)
    known = await operator.run(lambda db: db.fetchval("SELECT count(*) FROM url"))
    assert (await operator.totals()).pending == known
