"""Readers of the event log lose nothing, whichever transaction commits first."""

import asyncio
import random

import asyncpg
import pytest
from tests.support.event_log import Reader, settle, subjects, write

from outrider.events.log import current_position, read_events


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
