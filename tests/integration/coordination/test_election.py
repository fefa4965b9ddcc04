"""One process leads, another takes over, and both are told."""

import asyncio

import asyncpg
import pytest
from tests.support.coordination import Fleet, renewals_of, running, wait_for_blocked

from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term, fenced

TTL_S = 2.0
OFTEN_S = 0.1


async def test_one_of_three_leads_and_the_others_do_not(fleet: Fleet):
    async with fleet.member() as one, fleet.member() as two, fleet.member() as three:
        elections = [member.election() for member in (one, two, three)]
        async with running(one, elections[0]):
            term = await one.gain()
            for member, election in ((two, elections[1]), (three, elections[2])):
                await election.take_step(_ignore, _ignore)
                assert election.term is None
                assert member.gained.empty()

            assert elections[0].term == term == Term("duty", 1)


async def test_a_leader_that_stops_hands_over_at_once(fleet: Fleet):
    """The lifetime is two minutes: the second process leads because the first released the lock."""
    async with fleet.member(120.0) as first, fleet.member(120.0) as second:
        async with running(first, first.election()):
            before = await first.gain()
        assert await first.loss() == (before, "this process stops")

        election = second.election()
        await election.take_step(second_gains := _Told(), _ignore)

        assert election.term is not None
        assert second_gains.terms == [Term("duty", before.fence + 1)]


async def test_a_leader_renews_and_stays(fleet: Fleet):
    async with fleet.member(renew_s=OFTEN_S) as first, fleet.member() as second:
        election, other = first.election(), second.election()
        async with running(first, election):
            term = await first.gain()

            await renewals_of(election)

            await other.take_step(_ignore, _ignore)
            assert (election.term, other.term) == (term, None)


async def test_elections_with_other_names_have_other_leaders(fleet: Fleet):
    async with fleet.member() as one, fleet.member() as two:
        a, b = one.election("a"), two.election("b")
        async with running(one, a), running(two, b):
            assert (await one.gain(), await two.gain()) == (Term("a", 1), Term("b", 1))


async def test_a_refused_write_ends_the_leadership(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member() as member, running(member, election := member.election()):
        term = await member.gain()
        await pool.execute("UPDATE leader SET fence = fence + 1")
        with pytest.raises(StaleLeader):
            async with pool.acquire() as db, db.transaction():
                await fenced(db, term)

        election.step_down(term)

        assert election.term is None
        assert await member.loss() == (term, "a write was refused")


async def test_a_refused_write_of_an_earlier_term_does_not_end_this_one(fleet: Fleet):
    async with fleet.member() as member, running(member, election := member.election()):
        term = await member.gain()

        election.step_down(Term("duty", term.fence - 1))

        assert election.term == term


async def test_a_leader_notices_at_its_renewal_that_another_term_began(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member(TTL_S) as member, running(member, member.election()):
        term = await member.gain()
        await pool.execute("UPDATE leader SET fence = fence + 1")

        assert await member.loss() == (term, "another process began a term")


async def test_a_candidate_that_stops_before_its_term_begins_leaves_no_lock(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member(120.0) as first, fleet.member(120.0) as second, pool.acquire() as db:
        async with running(first, first.election()):
            before = await first.gain()
        async with db.transaction():
            await fenced(db, before)  # the next term must wait
            task = asyncio.create_task(second.run(second.election()))
            await wait_for_blocked(pool)
            task.cancel()
            await asyncio.wait({task})

        assert second.gained.empty()
        assert await first.store.try_acquire("leader:duty", "another", 30.0) is not None


async def test_the_row_says_who_leads(fleet: Fleet, pool: asyncpg.Pool):
    async with fleet.member() as member, running(member, member.election()):
        await member.gain()

        row = await pool.fetchrow("SELECT * FROM leader")

    assert row is not None
    assert (row["name"], row["fence"], row["holder"]) == ("duty", 1, "a member")


async def test_it_needs_no_session_of_postgresql(fleet: Fleet, pool: asyncpg.Pool):
    """A pooler may give each statement another session."""
    async with fleet.member(renew_s=OFTEN_S) as member, running(member, election := member.election()):
        term = await member.gain()
        await pool.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'member' AND datname = current_database()"
        )

        await renewals_of(election)

        assert election.term == term
        held = await pool.fetchval(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database "
            "WHERE locktype = 'advisory' AND datname = current_database()"
        )
        assert held == 0


class _Told:
    """A callback that keeps its terms."""

    def __init__(self) -> None:
        self.terms: list[Term] = []

    async def __call__(self, term: Term) -> None:
        self.terms.append(term)


async def _ignore(*_: object) -> None:
    pass
