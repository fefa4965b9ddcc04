"""The event log on PostgreSQL: what a read brings, which positions are kept, and what holds events back."""

import asyncio
from datetime import timedelta

import asyncpg
from tests.support.database import TestServer
from tests.support.event_log import age, prune, settle, subjects, write

from outrider.events.log import current_position, is_kept, measure_lag, read_events, write_events
from outrider.events.record import NewEvent


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


async def test_the_position_of_an_empty_log_can_be_followed(db):
    position = await current_position(db)
    assert await is_kept(db, position)
    await write(db, "first")
    await settle(db)

    assert subjects((await read_events(db, position)).events) == ["first"]


async def test_a_position_of_another_server_is_not_kept(db):
    position = await write(db, "a")

    assert not await is_kept(db, position._replace(history="00000000"))
    assert (await read_events(db, position._replace(history="00000000"))).is_kept is False


async def test_a_position_that_was_never_given_out_is_not_kept(db):
    position = await write(db, "a")

    assert not await is_kept(db, position._replace(xid=position.xid + 1_000_000))


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
