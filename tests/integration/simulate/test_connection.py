"""The connection of a simulation: the database uses the virtual time, and an error ends the simulation."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import asyncpg
import pytest

from outrider.errors import Unavailable
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.sites import START
from outrider.simulate.virtual_time import VirtualClock, VirtualLoop


def simulated(dsn: str, play: Callable[[VirtualConnection], Awaitable[None]]) -> None:
    """Run a coroutine on its own connection, on a loop with virtual time."""
    clock = VirtualClock(START)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        connection = VirtualConnection(dsn, clock, loop)

        async def act() -> None:
            try:
                await play(connection)
            finally:
                await connection.close()

        runner.run(act())


async def moment(db: asyncpg.Connection) -> tuple[str, int]:
    return await db.fetchval("SELECT current_setting('outrider.now')"), await db.fetchval(
        "SELECT pg_current_xact_id()::text::bigint"
    )


async def break_something(db: asyncpg.Connection) -> None:
    await db.execute("SELECT 1 / 0")


def test_what_happens_at_one_moment_is_one_transaction_at_the_virtual_time(empty_database: str):
    async def play(connection: VirtualConnection) -> None:
        first, second = await connection.run(moment), await connection.run(moment)
        await asyncio.sleep(90)
        later = await connection.run(moment)

        assert first == second
        assert first[0] == START.isoformat()
        assert later[0] == (START + timedelta(seconds=90)).isoformat()
        assert later[1] > first[1]

    simulated(empty_database, play)


def test_work_that_opens_its_own_transaction_is_nested_in_the_moment(empty_database: str):
    """As a scheduler does: a start that fails is undone, and what was done before at this moment stays."""

    async def fail(db: asyncpg.Connection) -> None:
        async with db.transaction():
            await db.execute("INSERT INTO kept VALUES (2)")
            await break_something(db)

    async def write(db: asyncpg.Connection) -> None:
        await db.execute("CREATE TABLE kept (number int)")
        async with db.transaction():
            await db.execute("INSERT INTO kept VALUES (1)")
        with pytest.raises(asyncpg.DivisionByZeroError):
            await fail(db)

    async def play(connection: VirtualConnection) -> None:
        first = await connection.run(moment)
        await connection.run(write)
        assert (await connection.run(moment)) == first
        await asyncio.sleep(90)
        kept = await connection.run(lambda db: db.fetch("SELECT number FROM kept"))
        assert [row["number"] for row in kept] == [1]

    simulated(empty_database, play)


def test_after_a_fault_nothing_goes_on_as_if_it_had_not_been(empty_database: str):
    async def play(connection: VirtualConnection) -> None:
        with pytest.raises(Unavailable, match="division by zero"):
            await connection.run(break_something)
        await asyncio.sleep(90)
        with pytest.raises(Unavailable, match="division by zero"):
            await connection.run(moment)

    simulated(empty_database, play)


def test_a_call_cancelled_on_an_idle_connection_does_not_affect_others(empty_database: str):
    """At the end of a simulation searches are still under way."""

    has_begun = asyncio.Event()

    async def linger(db: asyncpg.Connection) -> None:
        has_begun.set()
        await db.execute("SELECT pg_sleep(0.05)")

    async def play(connection: VirtualConnection) -> None:
        search = asyncio.create_task(connection.run(linger))
        await has_begun.wait()
        await connection.when_idle(search.cancel)
        await asyncio.gather(search, return_exceptions=True)

        assert (await connection.run(moment))[0] == START.isoformat()

    simulated(empty_database, play)
