"""The event log on PostgreSQL: readers lose nothing, whichever transaction commits first."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import asyncpg
import pytest
from tests.support.database import TestServer

from outrider.db.queries import Queries
from outrider.events.log import (
    current_position,
    is_kept,
    measure_lag,
    prune_events,
    read_events,
    write_events,
)
from outrider.events.position import Position
from outrider.events.record import LoggedEvent, NewEvent

Connect = Callable[[], Awaitable[asyncpg.Connection]]


@pytest.fixture
async def connect(database: str) -> AsyncIterator[Connect]:
    """Connections to the database of the test, one more with each call."""
    opened = []

    async def one() -> asyncpg.Connection:
        opened.append(await asyncpg.connect(database))
        return opened[-1]

    yield one
    for connection in opened:
        connection.terminate()


@pytest.fixture
async def db(connect: Connect) -> asyncpg.Connection:
    return await connect()


async def write(db, *names, kind="job.started"):
    return await write_events(db, [NewEvent(kind, name) for name in names])


async def settle(db):
    """Until no transaction of the server, those of other tests included, is older than this moment."""
    now = await db.fetchval("SELECT pg_current_xact_id()")
    while True:
        if await db.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())") > now:
            return
        await asyncio.sleep(0.005)


def subjects(events):
    return [event.subject_id for event in events]


class NaiveReader:
    """What the log must not be: a reader that remembers the greatest number that it saw."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._greatest = 0

    async def read(self, db: asyncpg.Connection) -> None:
        rows = await db.fetch(
            "SELECT id, subject_id FROM event_log WHERE id > $1 ORDER BY id", self._greatest
        )
        for row in rows:
            self.seen.append(row["subject_id"])
            self._greatest = row["id"]


class Reader:
    """Follows the log and keeps its position as text, as a client does."""

    def __init__(self, position: str | None = None, most: int = 100) -> None:
        self.position = position
        self.seen: list[LoggedEvent] = []
        self._most = most

    async def read(self, db: asyncpg.Connection) -> None:
        while True:
            after = None if self.position is None else Position.parse(self.position)
            batch = await read_events(db, after, most=self._most)
            assert batch.is_kept
            self.seen += batch.events
            self.position = str(batch.position)
            if not batch.is_full:
                return


async def test_an_event_that_commits_late_is_lost_by_the_greatest_number_and_not_by_us(connect, db):
    slow, quick = await connect(), await connect()
    naive, ours = NaiveReader(), Reader()
    transaction = slow.transaction()
    await transaction.start()
    await write(slow, "slow")  # takes the smaller number, and becomes visible last
    await write(quick, "quick")

    await naive.read(db)
    await ours.read(db)
    await transaction.commit()
    await settle(db)
    await naive.read(db)
    await ours.read(db)

    assert naive.seen == ["quick"], "this test shows nothing where the naive reader loses nothing"
    assert subjects(ours.seen) == ["slow", "quick"]


async def test_a_transaction_that_writes_after_a_later_one_committed_loses_nothing(connect, db):
    slow, quick = await connect(), await connect()
    ours = Reader()
    transaction = slow.transaction()
    await transaction.start()
    await slow.execute("SELECT pg_current_xact_id()")
    await write(quick, "quick")
    await ours.read(db)
    await write(slow, "slow")  # the greater number in the smaller transaction
    await ours.read(db)
    await transaction.commit()
    await settle(db)
    await ours.read(db)

    assert sorted(subjects(ours.seen)) == ["quick", "slow"]


async def test_what_is_rolled_back_never_happened(connect, db):
    other, ours = await connect(), Reader()
    transaction = other.transaction()
    await transaction.start()
    await write(other, "undone")
    await write(db, "kept")
    await transaction.rollback()
    await settle(db)

    await ours.read(db)

    assert subjects(ours.seen) == ["kept"]


@pytest.mark.parametrize("seed", range(12))
async def test_any_interleaving_brings_every_committed_event_once_and_in_one_order(connect, db, seed):
    dice = random.Random(seed)
    writers = [await connect() for _ in range(4)]
    readers = [Reader(most=dice.choice([1, 2, 7, 100])) for _ in range(3)]
    open_ones: dict[int, tuple[object, list[str]]] = {}
    committed: list[str] = []
    restarts = 0
    for step in range(120):
        match dice.choice(["write", "write", "end", "read", "read", "restart"]):
            case "write":
                number = dice.randrange(len(writers))
                if number not in open_ones:
                    transaction = writers[number].transaction()
                    await transaction.start()
                    open_ones[number] = (transaction, [])
                names = [f"{step}-{each}" for each in range(dice.randint(1, 3))]
                await write(writers[number], *names)
                open_ones[number][1].extend(names)
            case "end" if open_ones:
                transaction, names = open_ones.pop(dice.choice(list(open_ones)))
                if dice.random() < 0.7:
                    await transaction.commit()
                    committed += names
                else:
                    await transaction.rollback()
            case "read":
                await dice.choice(readers).read(db)
            case "restart":
                place = dice.randrange(len(readers))
                old = readers[place]
                readers[place] = Reader(old.position, most=dice.choice([1, 3, 100]))
                readers[place].seen = old.seen
                restarts += 1
    for transaction, names in open_ones.values():
        await transaction.commit()
        committed += names
    await settle(db)
    for reader in readers:
        await reader.read(db)

    assert committed
    assert restarts
    for reader in readers:
        assert sorted(subjects(reader.seen)) == sorted(committed)
        assert [each.position for each in reader.seen] == sorted(each.position for each in reader.seen)
    assert len({tuple(subjects(reader.seen)) for reader in readers}) == 1


async def test_writers_that_commit_at_once_lose_nothing_to_a_reader_that_runs_beside_them(connect, db):
    ours, done = Reader(most=5), asyncio.Event()

    async def many(connection, name):
        for number in range(40):
            async with connection.transaction():
                await write(connection, f"{name}{number}")
                if number % 3 == 0:
                    await asyncio.sleep(0)

    async def follow():
        while not done.is_set():
            await ours.read(db)

    following = asyncio.create_task(follow())
    await asyncio.gather(*[many(await connect(), name) for name in "abcd"])
    done.set()
    await following
    await settle(db)
    await ours.read(db)

    assert sorted(subjects(ours.seen)) == sorted(f"{name}{number}" for name in "abcd" for number in range(40))


async def test_events_of_one_writer_come_in_the_order_in_which_it_wrote_them(db):
    await write(db, *[f"{number}" for number in range(50)])
    await settle(db)

    batch = await read_events(db, None)

    assert subjects(batch.events) == [f"{number}" for number in range(50)]


async def test_a_reader_asks_for_kinds_and_still_moves_past_the_others(db):
    await write(db, "a")
    await write(db, "b", kind="host.blocked")
    await write(db, "c")
    last = await write(db, "d")
    await settle(db)

    batch = await read_events(db, None, kinds=["host.blocked"])

    assert subjects(batch.events) == ["b"]
    assert batch.position == last


async def test_an_event_brings_what_was_written_and_the_time_of_the_database(db):
    before = await db.fetchval("SELECT clock_timestamp()")
    position = await write_events(db, [NewEvent("page.read", "p1", {"title": "Grüße\x00", "n": [1, None]})])
    await settle(db)

    (event,) = (await read_events(db, None)).events

    assert (event.position, event.kind, event.subject_id) == (position, "page.read", "p1")
    assert event.payload == {"title": "Grüße\ufffd", "n": [1, None]}
    assert before <= event.at <= before + timedelta(minutes=1)


async def test_no_event_is_no_write(db):
    assert await write_events(db, []) is None


async def test_a_read_brings_no_more_than_asked_for_and_says_that_more_is_there(db):
    await write(db, *"abc")
    await settle(db)

    first = await read_events(db, None, most=2)
    rest = await read_events(db, first.position, most=2)

    assert (subjects(first.events), first.is_full) == (["a", "b"], True)
    assert (subjects(rest.events), rest.is_full) == (["c"], False)


async def test_nothing_falls_between_a_snapshot_and_the_stream_that_follows_it(connect, db):
    slow = await connect()
    await write(db, "before")
    await settle(db)
    transaction = slow.transaction()
    await transaction.start()
    await write(slow, "running")
    position = await current_position(db)
    await write(db, "after")
    await transaction.commit()
    await settle(db)

    batch = await read_events(db, position)

    assert subjects(batch.events) == ["running", "after"]


async def test_the_position_of_an_empty_log_can_be_followed(db):
    position = await current_position(db)
    assert await is_kept(db, position)
    await write(db, "first")
    await settle(db)

    assert subjects((await read_events(db, position)).events) == ["first"]


async def age(db, subject, seconds):
    await db.execute(
        "UPDATE event_log SET at = at - $2::float8 * interval '1 second' WHERE subject_id = $1",
        subject,
        float(seconds),
    )


async def prune(db, **limits):
    await settle(db)
    async with db.transaction():
        return await prune_events(db, **limits)


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


async def test_a_position_of_another_server_is_not_kept(db):
    position = await write(db, "a")

    assert not await is_kept(db, position._replace(history="00000000"))
    assert (await read_events(db, position._replace(history="00000000"))).is_kept is False


async def test_a_position_that_was_never_given_out_is_not_kept(db):
    position = await write(db, "a")

    assert not await is_kept(db, position._replace(xid=position.xid + 1_000_000))


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


async def test_the_lag_names_the_transaction_that_holds_events_back(connect, db):
    slow = await connect()
    await slow.execute("SET application_name = 'slow importer'")
    await settle(db)
    nothing = await measure_lag(db)
    transaction = slow.transaction()
    await transaction.start()
    await write(slow, "slow")
    await write(db, "quick")
    await age(db, "quick", 30)

    # Transactions of other tests may be older. They end, and this one does not.
    while True:
        lag = await measure_lag(db)
        if lag.held_by is not None and lag.held_by.startswith("slow importer (process "):
            break
        await asyncio.sleep(0.005)
    await transaction.commit()
    await settle(db)

    assert nothing.waiting == 0
    assert lag.waiting == 1
    assert lag.waiting_s >= 30
    assert lag.held_s > 0
    assert (await measure_lag(db)).waiting == 0


async def test_a_role_without_privileges_of_the_server_can_write_and_read(connect, db, database):
    await db.execute("CREATE ROLE plain_writer")
    try:
        await db.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON event_log, event_log_pruned TO plain_writer"
        )
        async with db.transaction():
            await db.execute("SET LOCAL ROLE plain_writer")
            await write(db, "a")
        await settle(db)
        await db.execute("SET ROLE plain_writer")
        assert subjects((await read_events(db, None)).events) == ["a"]
        assert (await measure_lag(db)).waiting == 0
    finally:
        await db.execute("RESET ROLE")
        await db.execute("DROP OWNED BY plain_writer")
        await db.execute("DROP ROLE plain_writer")


async def test_the_log_works_on_every_postgresql(each_postgres: TestServer):
    async with each_postgres.database() as dsn:
        db = await asyncpg.connect(dsn)
        position = await write(db, "a", "b")
        await settle(db)
        batch = await read_events(db, None)
        removed = await prune(db, kept_s=0)
        lag = await measure_lag(db)
        await db.close()

    assert (subjects(batch.events), batch.position) == (["a", "b"], position)
    assert (removed, lag.waiting) == (2, 0)
