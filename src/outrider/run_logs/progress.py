"""Lines about the progress of runs, from their exact counters: milestones and a heartbeat (SSE-09)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.counter_name import CounterPrefix, counter_of
from outrider.frontier.dead_reason import DeadReason
from outrider.run_logs.options import RunLogOptions, Verbosity
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import RunLogStore
from outrider.runs.counter import RunCounter
from outrider.runs.metrics import waiting

ReadCounts = Callable[[asyncpg.Connection, Sequence[int]], Awaitable[Mapping[int, Mapping[str, int]]]]

_ROBOTS = counter_of(CounterPrefix.DEAD, DeadReason.ROBOTS_BLOCKED)


def milestone_of(pages: int, every: int) -> int:
    """The last multiple of `every` that a run has passed."""
    return pages - pages % every


def progress_fields(counts: Mapping[str, int]) -> dict[str, Any]:
    """The figures of a line about progress."""
    return {
        "pages": counts.get(RunCounter.PAGES, 0),
        "waiting": waiting(counts),
        "requests": counts.get(RunCounter.REQUESTS, 0),
        "failed": counts.get(RunCounter.REQUESTS_FAILED, 0),
        "dead": counts.get(RunCounter.DEAD, 0),
        "robots_refused": counts.get(_ROBOTS, 0),
        "rate_limits": counts.get(RunCounter.RATE_LIMITS, 0),
        "bytes": counts.get(RunCounter.BYTES, 0),
    }


async def write_progress(
    connection: ReconnectingConnection,
    read_counts: ReadCounts,
    run_ids: Sequence[int],
    options: RunLogOptions,
) -> list[LogPosition]:
    """Write a line for each of these runs that passed a milestone or wrote none for a while.

    Milestones that were passed since the last look share a line. Returns the positions of the lines.
    """
    if not run_ids or options.verbosity is Verbosity.QUIET or "info" not in options.shown_level.and_above:
        return []
    store = RunLogStore()
    states = await connection.run(
        lambda db: store.progress_states(db, run_ids, options.progress_s), is_one_statement=True
    )
    counts = await connection.run(lambda db: read_counts(db, [state.run_id for state in states]))
    written = []
    for state in states:
        found = counts.get(state.run_id, {})
        milestone = milestone_of(found.get(RunCounter.PAGES, 0), options.milestone)
        is_milestone = milestone > state.milestone
        if not is_milestone and not (state.is_old and waiting(found)):
            continue  # a run that waits for nothing is over
        message = f"{milestone:,} pages" if is_milestone else "in progress"

        async def append(
            db: asyncpg.Connection,
            run_id: int = state.run_id,
            milestone: int = milestone,
            message: str = message,
            found: Mapping[str, int] = found,
        ) -> int | None:
            every_s, most = options.progress_s, options.most_lines
            return await store.append_progress(
                db, run_id, milestone, every_s, most, message, progress_fields(found)
            )

        number = await connection.run(append, is_one_statement=True)
        if number is not None:
            written.append(LogPosition(state.run_id, number))
    return written
