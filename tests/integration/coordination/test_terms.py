"""The database refuses writes of a leader that was replaced."""

import asyncio

import asyncpg
import pytest
from tests.support.coordination import Fleet, wait_for_blocked

from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term, Terms, fenced

# What the driver says of a session that the server ended depends on what it read last.
GONE = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)


@pytest.fixture
def fleet(postgres_fleet: Fleet) -> Fleet:
    return postgres_fleet


async def test_each_term_has_a_greater_number(fleet: Fleet):
    async with fleet.member() as member:
        terms = Terms(member.connection, "duty")

        assert await terms.latest() == 0
        assert await terms.begin(0, "a") == Term("duty", 1)
        assert await terms.begin(1, "b") == Term("duty", 2)
        assert await terms.latest() == 2


async def test_of_two_candidates_that_saw_the_same_term_one_begins_the_next(fleet: Fleet):
    async with fleet.member() as one, fleet.member() as two:
        first, second = Terms(one.connection, "duty"), Terms(two.connection, "duty")
        await first.begin(0, "a")

        begun = await asyncio.gather(first.begin(1, "a"), second.begin(1, "b"))

        assert sorted(begun, key=str) == [None, Term("duty", 2)]


async def test_a_term_whose_row_is_gone_is_not_continued(fleet: Fleet):
    async with fleet.member() as member:
        assert await Terms(member.connection, "duty").begin(7, "a") is None


async def test_the_latest_leader_writes_and_an_earlier_one_is_refused(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member() as member, pool.acquire() as db:
        terms = Terms(member.connection, "duty")
        old = await terms.begin(0, "a")
        assert old is not None
        async with db.transaction():
            await fenced(db, old)
        new = await terms.begin(1, "b")
        assert new is not None

        with pytest.raises(StaleLeader, match="term 1 of the leader of 'duty' is over"):
            async with db.transaction():
                await fenced(db, old)
        async with db.transaction():
            await fenced(db, new)


async def test_a_term_that_never_began_is_refused(pool: asyncpg.Pool):
    async with pool.acquire() as db:
        with pytest.raises(StaleLeader):
            async with db.transaction():
                await fenced(db, Term("duty", 1))


async def test_the_next_term_waits_for_a_write_that_was_let_through(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member() as member, pool.acquire() as db:
        terms = Terms(member.connection, "duty")
        old = await terms.begin(0, "a")
        assert old is not None
        async with db.transaction():
            await fenced(db, old)
            next_term = asyncio.create_task(terms.begin(1, "b"))
            await wait_for_blocked(pool)
            assert not next_term.done()

        assert await next_term == Term("duty", 2)


async def test_a_leader_that_stands_still_in_its_transaction_is_cut_off(fleet: Fleet, pool: asyncpg.Pool):
    """A stopped process holds its row locks: the next leader must not wait for it for ever."""
    async with fleet.member() as member:
        terms = Terms(member.connection, "duty")
        old = await terms.begin(0, "a")
        assert old is not None
        stopped = await asyncpg.connect(fleet.dsn)
        transaction = stopped.transaction()
        await transaction.start()
        await fenced(stopped, old, standstill_s=0.2)
        await stopped.execute("CREATE TABLE written_by_the_old_leader ()")

        assert await terms.begin(1, "b") == Term("duty", 2)

        with pytest.raises(GONE):
            await transaction.commit()
        assert await pool.fetchval("SELECT to_regclass('written_by_the_old_leader')") is None


async def test_the_limit_of_a_standstill_ends_with_the_transaction(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member() as member, pool.acquire() as db:
        term = await Terms(member.connection, "duty").begin(0, "a")
        assert term is not None
        before = await db.fetchval("SHOW idle_in_transaction_session_timeout")
        async with db.transaction():
            await fenced(db, term)
            assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == "30s"

        assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == before


async def test_outside_of_a_transaction_nothing_would_be_protected(pool: asyncpg.Pool):
    async with pool.acquire() as db:
        with pytest.raises(RuntimeError, match="begin one"):
            await fenced(db, Term("duty", 1))


async def test_renewals_do_not_wait_for_writes(fleet: Fleet, pool: asyncpg.Pool):
    """A long transaction of the leader must not cost it the leadership."""
    async with fleet.member() as member, pool.acquire() as db:
        term = await Terms(member.connection, "duty").begin(0, "a")
        assert term is not None
        await member.store.try_acquire("leader:duty", "token", 30.0)
        async with db.transaction():
            await fenced(db, term)

            assert await member.store.extend("leader:duty", "token", 30.0)
