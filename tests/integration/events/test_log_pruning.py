"""The event log forgets its oldest events, by age and by number, and tells readers that it did."""

import asyncio

from tests.support.event_log import age, prune, settle, subjects, write

from outrider.db.queries import Queries
from outrider.events.log import current_position, is_kept, prune_events, read_events


async def test_old_events_are_pruned_and_a_reader_before_them_is_reset(db):
    at_start = await current_position(db)
    after_old = await write(db, "old")
    await write(db, "young")
    await age(db, "old", 100)

    assert await prune(db, kept_s=60) == 1
    assert await prune(db, kept_s=60) == 0

    lost = await read_events(db, at_start)
    assert (lost.is_kept, list(lost.events)) == (False, [])
    assert not await is_kept(db, at_start)
    kept = await read_events(db, after_old)
    assert (kept.is_kept, subjects(kept.events)) == (True, ["young"])
    assert subjects((await read_events(db, None)).events) == ["young"]
    await write(db, "next")
    await settle(db)
    assert subjects((await read_events(db, lost.position)).events) == ["next"]


async def test_a_young_event_keeps_the_older_ones_behind_it(db):
    """Only the beginning of the log goes, or a reader could not tell that an event is missing."""
    await write(db, "young")
    await write(db, "old")
    await age(db, "old", 100)

    assert await prune(db, kept_s=60) == 0


async def test_the_log_keeps_the_newest_by_count(db):
    for name in "abcde":
        await write(db, name)

    assert await prune(db, most_kept=2) == 3

    assert subjects((await read_events(db, None)).events) == ["d", "e"]
    assert await prune(db, most_kept=2) == 0


async def test_pruning_goes_in_bounded_batches_and_may_leave_nothing(db):
    last = await write(db, *"abcde")

    assert [await prune(db, kept_s=0, at_once=2) for _ in range(4)] == [2, 2, 1, 0]

    assert await current_position(db) == last
    assert await is_kept(db, last)
    assert (await read_events(db, last)).events == []


async def test_pruning_leaves_what_readers_cannot_see_yet(connect, db):
    slow = await connect()
    transaction = slow.transaction()
    await transaction.start()
    await write(slow, "slow")
    await write(db, "quick")

    async with db.transaction():
        assert await prune_events(db, kept_s=0, most_kept=0) == 0
    await transaction.commit()
    await settle(db)

    assert subjects((await read_events(db, None)).events) == ["slow", "quick"]


async def test_pruning_looks_once_for_where_to_stop_and_not_for_every_event(db):
    """Looked for again for each of 5,000 events, the place in a log of a million takes hours."""
    query = Queries.load("outrider.events").prune_events
    statement = f"PREPARE pruning (float8, bigint, bigint) AS {query}"
    await db.execute(statement)
    rows = await db.fetch("EXPLAIN EXECUTE pruning (60, 1000, 5000)")
    plan = "\n".join(row[0] for row in rows)

    assert "CTE first_young" in plan
    assert "CTE first_counted" in plan


async def test_two_that_prune_at_once_remove_each_event_once(connect, db):
    await write(db, *[f"{number}" for number in range(100)])
    others = [await connect() for _ in range(3)]
    await settle(db)

    removed = await asyncio.gather(*[prune(each, kept_s=0, at_once=40) for each in others])

    assert sum(removed) == 100


async def test_events_of_a_dump_from_a_busier_server_are_not_shown_and_are_removed(db):
    position = await write(db, "ours")
    await db.execute(
        "INSERT INTO event_log (xid, kind, subject_id, payload) VALUES ($1, 'job.started', 'foreign', '{}')",
        position.xid + 1_000_000,
    )
    await db.execute("UPDATE event_log_pruned SET history = 'ffffffff', xid = $1", position.xid + 900_000)
    await settle(db)

    assert subjects((await read_events(db, None)).events) == ["ours"]
    assert await is_kept(db, position)
    assert await prune(db) == 1
    assert await db.fetchval("SELECT count(*) FROM event_log") == 1


async def test_pruning_in_a_transaction_that_wrote_events_leaves_these(db):
    async with db.transaction():
        await write(db, "ours")
        assert await prune_events(db) == 0

    assert await db.fetchval("SELECT count(*) FROM event_log") == 1
