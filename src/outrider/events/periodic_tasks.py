"""Periodic tasks of a worker: remove old events, and warn when readers of the log lag behind."""

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.log import measure_lag, prune_events
from outrider.events.record import EventLag
from outrider.logs import get_logger
from outrider.periodic_tasks import PeriodicTask

log = get_logger()

PRUNE_S = 300.0
MEASURE_S = 60.0
MOST_BATCHES = 20  # in one pass
LONGEST_HELD_S = 60.0


def event_tasks(connection: ReconnectingConnection) -> list[PeriodicTask]:
    """Safe in several workers at once."""
    return [
        PeriodicTask("prune the event log", PRUNE_S, lambda: prune_all(connection)),
        PeriodicTask("measure the lag of events", MEASURE_S, lambda: warn_of_lag(connection)),
    ]


async def prune_all(connection: ReconnectingConnection) -> int:
    """Remove events that are too old or too many, batch by batch; returns how many."""

    async def one_batch(db: asyncpg.Connection) -> int:
        return await prune_events(db)

    removed = 0
    for _ in range(MOST_BATCHES):
        batch = await connection.run(one_batch)
        removed += batch
        if not batch:
            break
    return removed


async def warn_of_lag(connection: ReconnectingConnection) -> EventLag:
    """Warn when events wait for more than a minute: some transaction was left open."""
    lag = await connection.run(measure_lag)
    if lag.waiting and lag.waiting_s > LONGEST_HELD_S:
        log.warning(
            "events wait behind a transaction",
            waiting=lag.waiting,
            for_s=round(lag.waiting_s),
            transaction_s=round(lag.held_s),
            held_by=lag.held_by,
        )
    return lag
