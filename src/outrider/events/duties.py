"""What a worker does for the event log: it removes old events, and says when readers are held back."""

import asyncpg

from outrider.db.line import Line
from outrider.duties import Duty
from outrider.events.log import measure_lag, prune_events
from outrider.events.record import EventLag
from outrider.logs import get_logger

log = get_logger()

PRUNE_S = 300.0
MEASURE_S = 60.0
MOST_BATCHES = 20  # in one pass
LONGEST_HELD_S = 60.0


def event_duties(line: Line) -> list[Duty]:
    """Safe in several workers at once."""
    return [
        Duty("prune the event log", PRUNE_S, lambda: prune_all(line)),
        Duty("measure the lag of events", MEASURE_S, lambda: warn_of_lag(line)),
    ]


async def prune_all(line: Line) -> int:
    """One pass: remove what is too old or too many, batch by batch; returns how many events."""

    async def one_batch(db: asyncpg.Connection) -> int:
        return await prune_events(db)

    removed = 0
    for _ in range(MOST_BATCHES):
        batch = await line.run(one_batch)
        removed += batch
        if not batch:
            break
    return removed


async def warn_of_lag(line: Line) -> EventLag:
    """Events that wait for a minute are worth a warning: some transaction was forgotten."""
    lag = await line.run(measure_lag)
    if lag.waiting and lag.waiting_s > LONGEST_HELD_S:
        log.warning(
            "events wait behind a transaction",
            waiting=lag.waiting,
            for_s=round(lag.waiting_s),
            transaction_s=round(lag.held_s),
            held_by=lag.held_by,
        )
    return lag
