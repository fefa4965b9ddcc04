"""The servers of a leader go away, fall silent or come back empty."""

import asyncio
from contextlib import ExitStack

import asyncpg
import pytest
from tests.support.coordination import PATIENCE_S, Fleet, renewals_of, running
from tests.support.relay import relay_to

from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term, fenced

TTL_S = 2.0
OFTEN_S = 0.1


async def test_a_leader_without_redis_steps_down_and_one_leads_when_it_is_back(redis_fleet: Fleet):
    async with redis_fleet.member(TTL_S) as member, running(member, election := member.election()):
        term = await member.gain()
        redis_fleet.servers[0].stop()

        assert (await member.loss())[0] == term
        assert election.term is None
        redis_fleet.servers[0].start()

        assert (await member.gain()).fence > term.fence


async def test_a_short_silence_of_redis_costs_nothing(redis_fleet: Fleet):
    async with redis_fleet.member(renew_s=OFTEN_S) as member:
        election = member.election()
        async with running(member, election):
            term = await member.gain()
            with redis_fleet.servers[0].frozen():
                async with asyncio.timeout(PATIENCE_S):
                    while not election._is_away:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)

            await renewals_of(election)

            assert election.term == term


async def test_a_silent_server_does_not_keep_a_leader_in_its_belief(fleet: Fleet):
    """The renewal waits for an answer; the end of the leadership does not wait for the renewal."""
    async with relay_to(fleet.dsn) as relay, fleet.member(TTL_S, relay.dsn) as member:
        election = member.election()
        async with running(member, election):
            term = await member.gain()
            with ExitStack() as stack:
                relay.mute()
                for server in fleet.servers:
                    stack.enter_context(server.frozen())

                assert (await member.loss())[0] == term
                assert election.term is None
            relay.mend()

            assert (await member.gain()).fence > term.fence


async def test_a_leader_cut_off_from_postgresql_makes_room_for_one_that_is_not(fleet: Fleet):
    """Also where Redis keeps the lock: a leader that cannot write must not keep it."""
    async with relay_to(fleet.dsn) as relay, fleet.member(TTL_S, relay.dsn) as cut_off:
        election = cut_off.election()
        async with running(cut_off, election), fleet.member(TTL_S) as other:
            term = await cut_off.gain()
            relay.cut()
            async with running(other, other.election()):
                assert (await other.gain()).fence == term.fence + 1
                assert (await cut_off.loss())[0] == term
                relay.mend()

                assert election.term is None


async def test_a_leader_survives_a_database_that_takes_no_writes(fleet: Fleet, pool: asyncpg.Pool):
    """After a failover the address may lead to a standby for a while."""

    async def let_write(allowed: bool) -> None:
        name = await pool.fetchval("SELECT current_database()")
        async with pool.acquire() as db:
            await db.execute("SET default_transaction_read_only = off")
            await db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {not allowed}")
            await db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'member' AND datname = current_database()"
            )

    async with fleet.member(TTL_S) as member:
        election = member.election()
        await let_write(False)
        async with running(member, election):
            async with asyncio.timeout(PATIENCE_S):
                while not election._is_away:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert election.term is None
            await let_write(True)

            assert await member.gain() == Term("duty", 1)


async def test_a_redis_that_came_back_empty_makes_a_second_leader_and_the_first_cannot_write(
    redis_fleet: Fleet, pool: asyncpg.Pool
):
    lifetime_s = 120.0
    async with redis_fleet.member(lifetime_s) as first, redis_fleet.member(lifetime_s) as second:
        election = first.election()
        async with running(first, election):
            old = await first.gain()
            redis_fleet.servers[0].stop()
            redis_fleet.servers[0].start()
            async with running(second, second.election()):
                new = await second.gain()

                assert election.term == old, "the first one cannot know it yet"
                with pytest.raises(StaleLeader):
                    await _write(pool, old)
                await _write(pool, new)


async def test_with_a_minority_of_redlock_servers_down_or_silent_a_leader_stays(redlock_fleet: Fleet):
    async with redlock_fleet.member(renew_s=OFTEN_S) as member:
        election = member.election()
        async with running(member, election):
            term = await member.gain()
            redlock_fleet.servers[0].stop()
            await renewals_of(election)
            redlock_fleet.servers[0].start()
            await renewals_of(election)
            with redlock_fleet.servers[1].frozen():
                await renewals_of(election)

            assert election.term == term


async def test_with_a_majority_of_redlock_servers_down_there_is_no_leader(redlock_fleet: Fleet):
    async with redlock_fleet.member(TTL_S) as member:
        election = member.election()
        async with running(member, election):
            term = await member.gain()
            for server in redlock_fleet.servers[1:]:
                server.stop()

            assert (await member.loss())[0] == term
            assert election.term is None


async def _write(pool: asyncpg.Pool, term: Term) -> None:
    async with pool.acquire() as db, db.transaction():
        await fenced(db, term)
