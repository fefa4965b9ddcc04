"""Duties run only while their process leads."""

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

import asyncpg
import pytest
from tests.support.coordination import PATIENCE_S, Fleet

from outrider.coordination.leader_tasks import LeaderTasks
from outrider.coordination.terms import Term, fenced
from outrider.periodic_tasks import PeriodicTask

TTL_S = 2.0
QUICK_S = 0.02


@dataclass
class Duties:
    """A task that counts its runs, and one that takes for ever."""

    runs: Counter[int] = field(default_factory=Counter)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    def counting(self, term: Term) -> list[PeriodicTask]:
        async def count() -> None:
            self.runs[term.fence] += 1

        return [PeriodicTask("count", QUICK_S, count)]

    def endless(self, term: Term) -> list[PeriodicTask]:
        async def never_end() -> None:
            self.begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()

        return [PeriodicTask("never end", QUICK_S, never_end)]


async def until(event: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await event.wait()


async def runs_in(duties: Duties, fence: int, at_least: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while duties.runs[fence] < at_least:  # noqa: ASYNC110
            await asyncio.sleep(QUICK_S)


async def test_tasks_run_while_leading_and_only_in_one_process(fleet: Fleet):
    async with fleet.member(120.0) as first, fleet.member(120.0) as second:
        leading, waiting = Duties(), Duties()
        leader = asyncio.create_task(LeaderTasks(first.election(), leading.counting, tick_s=QUICK_S).run())
        await runs_in(leading, 1, at_least=3)
        other = asyncio.create_task(LeaderTasks(second.election(), waiting.counting, tick_s=QUICK_S).run())
        await runs_in(leading, 1, at_least=leading.runs[1] + 10)
        assert waiting.runs == {}

        leader.cancel()
        await asyncio.wait({leader})
        after = leading.runs.copy()
        other.cancel()
        await asyncio.wait({other})

        assert leading.runs == after, "no task runs after the end"


async def test_after_a_loss_the_task_in_flight_is_cancelled_and_another_process_goes_on(
    fleet: Fleet, pool: asyncpg.Pool
):
    async with fleet.member(TTL_S) as member:
        duties = Duties()
        tasks = asyncio.create_task(LeaderTasks(member.election(), duties.endless, tick_s=QUICK_S).run())
        await until(duties.begun)
        duties.begun.clear()

        await pool.execute("UPDATE leader SET fence = fence + 1")

        await until(duties.cancelled)
        await until(duties.begun)  # it leads again, in a later term
        tasks.cancel()
        await asyncio.wait({tasks})


async def test_a_task_that_does_not_stop_is_not_waited_for_longer_than_a_renewal(
    postgres_fleet: Fleet, capsys: pytest.CaptureFixture[str]
):
    may_end = asyncio.Event()

    def stubborn(term: Term) -> list[PeriodicTask]:
        async def go_on() -> None:
            begun.set()
            while not may_end.is_set():
                with suppress(asyncio.CancelledError):
                    await may_end.wait()

        return [PeriodicTask("go on", QUICK_S, go_on)]

    begun = asyncio.Event()
    async with postgres_fleet.member(TTL_S) as member:
        tasks = asyncio.create_task(LeaderTasks(member.election(), stubborn, tick_s=QUICK_S).run())
        await until(begun)
        tasks.cancel()
        await asyncio.wait({tasks}, timeout=PATIENCE_S)

        assert tasks.done()
        assert "leader tasks do not stop" in capsys.readouterr().out
        may_end.set()


async def test_a_refused_write_of_a_task_ends_the_leadership(fleet: Fleet, pool: asyncpg.Pool):
    """The next renewal would come in half a minute: the refusal alone ends it."""

    def writing(term: Term) -> list[PeriodicTask]:
        async def write() -> None:
            async with pool.acquire() as db, db.transaction():
                await fenced(db, term)

        return [PeriodicTask("write", QUICK_S, write)]

    async with fleet.member(120.0) as member:
        election = member.election()
        tasks = asyncio.create_task(LeaderTasks(election, writing, tick_s=QUICK_S).run())
        async with asyncio.timeout(PATIENCE_S):
            while election.term is None:  # noqa: ASYNC110
                await asyncio.sleep(QUICK_S)
            await pool.execute("UPDATE leader SET fence = fence + 1")
            while election.term is not None:  # noqa: ASYNC110
                await asyncio.sleep(QUICK_S)
        tasks.cancel()
        await asyncio.wait({tasks})


async def test_two_leaders_for_a_moment_do_a_fenced_duty_once(fleet: Fleet, pool: asyncpg.Pool):
    """The duty of a later term is written, and the same duty of an earlier term is not."""
    await pool.execute("CREATE TABLE swept (day int PRIMARY KEY, fence bigint)")

    async def sweep(term: Term) -> None:
        async with pool.acquire() as db, db.transaction():
            await fenced(db, term)
            await db.execute("INSERT INTO swept VALUES (1, $1) ON CONFLICT DO NOTHING", term.fence)

    async with fleet.member(120.0) as member:
        done: asyncio.Queue[list[str]] = asyncio.Queue()

        def duties(term: Term) -> list[PeriodicTask]:
            async def both_leaders() -> None:
                earlier = Term(term.election, term.fence - 1)
                found = await asyncio.gather(sweep(earlier), sweep(term), sweep(term), return_exceptions=True)
                done.put_nowait([type(each).__name__ for each in found])

            return [PeriodicTask("sweep", 60.0, both_leaders)]

        tasks = asyncio.create_task(LeaderTasks(member.election(), duties, tick_s=QUICK_S).run())
        async with asyncio.timeout(PATIENCE_S):
            ends = await done.get()
        tasks.cancel()
        await asyncio.wait({tasks})

    assert ends == ["StaleLeader", "NoneType", "NoneType"]
    assert [tuple(row) for row in await pool.fetch("SELECT * FROM swept")] == [(1, 1)]
