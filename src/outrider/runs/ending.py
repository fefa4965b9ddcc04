"""Decides whether a run is over, and ends it: one pass."""

from collections.abc import Mapping

import asyncpg

from outrider.frontier.runs import FIRST_HOST
from outrider.frontier.store import FrontierStore
from outrider.runs.counter import RunCounter
from outrider.runs.metrics import crawl_metrics, verdict_of, waiting
from outrider.runs.model import Run, RunStatus, RunVerdict
from outrider.runs.store import RunStore

REQUESTS_END_S = 60.0  # after this no request that began before a cancel is under way


async def withdraw_entries(db: asyncpg.Connection, frontier: FrontierStore, run: Run) -> int:
    """Take the queued entries of a cancelled run out of the queue.

    Entries of leased hosts stay until their host is released: a request may be under way.
    """
    asked_s = await RunStore().cancelled_for_s(db, run.run_id) or 0.0
    is_last_pass = asked_s > REQUESTS_END_S
    gone = await _withdraw(db, frontier, run.run_id, leased_too=is_last_pass)
    if is_last_pass:  # what still counts as waiting has left the queue unseen, and would be waited for always
        await frontier.correct_run(db, run.run_id)
    return gone


async def end_now(db: asyncpg.Connection, frontier: FrontierStore, run: Run) -> Run | None:
    """End a run for which no worker works. A cancelled run withdraws its entries, another leaves them queued.

    Returns None if the run has ended already.
    """
    if run.is_cancelled:
        await _withdraw(db, frontier, run.run_id, leased_too=True)
    else:
        await frontier.leave_run(db, run.source_id, run.run_id)
    counts = (await frontier.run_counts(db, [run.run_id])).get(run.run_id, {})
    return await _end(db, run, counts)


async def end_if_over(db: asyncpg.Connection, frontier: FrontierStore, run: Run) -> Run | None:
    """End the run if none of its entries waits; returns it, or None while it goes on.

    Entries that an earlier, cancelled run of the same source left are queued first.
    """
    if run.is_cancelled:
        await withdraw_entries(db, frontier, run)
    async with db.transaction():
        return await close_if_over(db, frontier, run)


async def close_if_over(db: asyncpg.Connection, frontier: FrontierStore, run: Run) -> Run | None:
    """Like `end_if_over` in the transaction of the caller, which has withdrawn the entries if need be."""
    counts = (await frontier.run_counts(db, [run.run_id])).get(run.run_id, {})
    if waiting(counts) > 0:
        return None
    if not run.is_cancelled and await frontier.requeue_withdrawn(db, run.source_id, run.run_id):
        return None
    return await _end(db, run, counts)


async def fail_run(
    db: asyncpg.Connection, frontier: FrontierStore, run: Run, why: str, stack_trace: str | None
) -> Run | None:
    """End a run as failed, because of an error in the program; None if it has ended already.

    Its entries stay queued without a run, so that the next run can have them.
    """
    await frontier.leave_run(db, run.source_id, run.run_id)
    counts = (await frontier.run_counts(db, [run.run_id])).get(run.run_id, {})
    return await _end(db, run, counts, RunVerdict(RunStatus.FAILED, why), stack_trace)


async def leave_blocked_hosts(db: asyncpg.Connection, frontier: FrontierStore) -> int:
    """Let entries of blocked hosts leave their runs, which would wait for them until the timeout."""
    if not await RunStore().open_runs(db):
        return 0
    return await frontier.leave_runs_on_blocked_hosts(db)


async def _withdraw(db: asyncpg.Connection, frontier: FrontierStore, run_id: int, *, leased_too: bool) -> int:
    gone, host = 0, FIRST_HOST
    while True:
        entries, following = await frontier.withdraw(db, run_id, host, leased_too=leased_too)
        gone += entries
        if following is None:
            return gone
        host = following


async def _end(
    db: asyncpg.Connection,
    run: Run,
    counts: Mapping[str, int],
    verdict: RunVerdict | None = None,
    stack_trace: str | None = None,
) -> Run | None:
    return await RunStore().end(
        db,
        run.run_id,
        verdict or verdict_of(run, counts),
        crawl_metrics(counts),
        pages=counts.get(RunCounter.PAGES, 0),
        indexed=counts.get(RunCounter.INDEXED, 0),
        stack_trace=stack_trace,
    )
