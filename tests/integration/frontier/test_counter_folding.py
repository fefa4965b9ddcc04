"""The leader folds the counters of all slots into one: totals stay exact, and no flush is in its way."""

import asyncio

import asyncpg
import pytest
from tests.support.make import completion

from outrider.coordination.errors import StaleLeader
from outrider.frontier.counter_folding import FOLDED_SLOT, fold_counters

URLS = [f"http://h{n}.test/{n}" for n in range(12)]


async def leads(db: asyncpg.Connection) -> None:
    """The fence of a process that leads."""


async def leads_no_more(db: asyncpg.Connection) -> None:
    raise StaleLeader("another scheduler leads")


async def counted_by(*workers):
    """Every worker fetches some pages, and counts them in its own slot; returns how many."""
    fetched = 0
    await workers[0].queue(*URLS)
    for worker in workers:
        leases = await worker.claim(3)
        entries = [entry for lease in leases for entry in lease.entries]
        await worker.complete(*(completion(entry) for entry in entries))
        await worker.release(*leases)
        fetched += len(entries)
    return fetched


async def slots(operator):
    rows = await operator.run(lambda db: db.fetch("SELECT DISTINCT slot FROM counter ORDER BY 1"))
    return [row["slot"] for row in rows]


async def test_folded_counters_have_the_same_totals(operator, start_worker):
    await counted_by(operator, await start_worker(), await start_worker())
    before = await operator.totals()
    assert len(await slots(operator)) == 3

    assert await operator.run(lambda db: fold_counters(db, leads, most_rows=2, at_once=2)) > 2

    assert await slots(operator) == [FOLDED_SLOT]
    assert await operator.totals() == before
    more = await counted_by(operator)
    assert more
    await operator.run(lambda db: fold_counters(db, leads, most_rows=0))
    assert await slots(operator) == [FOLDED_SLOT]
    assert (await operator.totals()).fetched == before.fetched + more


async def test_few_counters_stay_where_they_are(operator):
    await counted_by(operator)
    rows = await operator.run(lambda db: db.fetchval("SELECT count(*) FROM counter"))

    assert await operator.run(lambda db: fold_counters(db, leads, most_rows=rows)) == 0
    assert FOLDED_SLOT not in await slots(operator)
    assert await operator.run(lambda db: fold_counters(db, leads, most_rows=rows - 1)) == rows


async def test_counters_that_a_flush_changes_are_left_for_the_next_time(operator, start_worker):
    worker = await start_worker()
    fetched = await counted_by(operator, worker)
    leases = await worker.claim(1)
    done = [completion(entry) for lease in leases for entry in lease.entries]
    assert done
    changed, folded = asyncio.Event(), asyncio.Event()

    async def flush(db):
        async with db.transaction():
            await worker.store.complete(db, done)
            changed.set()
            await folded.wait()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(worker.run(flush))
        await changed.wait()
        await operator.run(lambda db: fold_counters(db, leads, most_rows=0))
        assert worker.store.slot in await slots(operator)
        folded.set()
    assert (await operator.totals()).fetched == fetched + len(done)
    await operator.run(lambda db: fold_counters(db, leads, most_rows=0))
    assert (await operator.totals()).fetched == fetched + len(done)


async def test_a_leader_whose_term_is_over_folds_nothing(operator):
    await counted_by(operator)
    with pytest.raises(StaleLeader):
        await operator.run(lambda db: fold_counters(db, leads_no_more, most_rows=0))
    assert FOLDED_SLOT not in await slots(operator)
