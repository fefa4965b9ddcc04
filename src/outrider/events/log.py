"""The event log: a writer adds events in its own transaction, and readers follow the log by position.

A number from a sequence is taken at insert and becomes visible at commit, so a reader that remembers the
greatest number misses every event that commits later with a smaller one. Here the order of events begins
with the number of their transaction, and readers stop before the oldest transaction that still runs: no
event can appear any more before that point. See docs/decisions/0040-event-positions.md.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.events.position import Position
from outrider.events.record import EventBatch, EventLag, LoggedEvent, NewEvent

MOST_AT_ONCE = 1_000
KEPT_S = 7 * 86_400.0
MOST_KEPT = 1_000_000
PRUNED_AT_ONCE = 5_000
MOST_COUNTED = 10_000  # events that wait for a transaction to end

_SQL = Queries.load("outrider.events")


async def write_events(db: asyncpg.Connection, events: Sequence[NewEvent]) -> Position | None:
    """Write events in the caller's transaction; returns the position of the last one, None for no event."""
    if not events:
        return None
    (last,) = await db.fetch(
        _SQL.write_events,
        [event.kind for event in events],
        [event.subject_id for event in events],
        [event.encoded() for event in events],
    )
    return _position(last)


async def read_events(
    db: asyncpg.Connection,
    after: Position | None,
    *,
    most: int = 100,
    kinds: Collection[str] | None = None,
) -> EventBatch:
    """The events after a position, or the oldest that are kept; at most `most`, only of `kinds`."""
    limit = max(1, min(most, MOST_AT_ONCE))
    start = after or (None, 0, 0)
    rows = await db.fetch(_SQL.events_after, *start, None if kinds is None else list(kinds), limit)
    newest = Position(rows[0]["history"], rows[0]["newest_xid"], rows[0]["newest_id"])
    if not rows[0]["is_kept"]:
        return EventBatch((), newest, is_kept=False)
    events = [_event(row) for row in rows if row["xid"] is not None]
    if len(events) == limit:
        return EventBatch(events, events[-1].position, is_full=True)
    return EventBatch(events, newest if after is None else max(newest, after))


async def current_position(db: asyncpg.Connection) -> Position:
    """The position for a snapshot of the present state.

    Read it before the state, or in the same snapshot: then no event falls between the two. The state may
    show some of the events that come after the position already.
    """
    (row,) = await db.fetch(_SQL.newest_position)
    return _position(row)


async def is_kept(db: asyncpg.Connection, position: Position) -> bool:
    """Whether the log still has every event after this position."""
    rows = await db.fetch(_SQL.events_after, *position, [], 1)
    return bool(rows[0]["is_kept"])


async def measure_lag(db: asyncpg.Connection) -> EventLag:
    """How far readers are behind what is committed, and which transaction is the cause."""
    (row,) = await db.fetch(_SQL.event_lag, MOST_COUNTED)
    pid, application = row["held_by_pid"], row["held_by"]
    return EventLag(
        waiting=row["waiting"],
        waiting_s=row["waiting_s"] or 0.0,
        held_s=row["held_s"] or 0.0,
        held_by=f"{application} (process {pid})" if pid is not None else application,
    )


async def prune_events(
    db: asyncpg.Connection,
    *,
    kept_s: float = KEPT_S,
    most_kept: int = MOST_KEPT,
    at_once: int = PRUNED_AT_ONCE,
) -> int:
    """Remove one batch of events that are too old or too many; returns how many. 0: nothing is left to do."""
    await db.execute(_SQL.lock_pruning)
    removed: int | None = await db.fetchval(_SQL.prune_events, kept_s, most_kept, at_once)
    foreign: int = await db.fetchval(_SQL.prune_foreign_events, at_once)
    return (removed or 0) + foreign


async def begin_history(db: asyncpg.Connection) -> None:
    """Begin the log anew after a restore, with the events that it has; the caller opens the transaction.

    Readers get a reset, because their positions belong to a state that was replaced. Without this, events
    whose transaction numbers this server has not assigned yet would appear late, or never.
    """
    await db.execute(_SQL.number_events_anew)
    await db.execute(_SQL.begin_history)


def _position(row: Any) -> Position:
    return Position(row["history"], row["xid"], row["id"])


def _event(row: Any) -> LoggedEvent:
    return LoggedEvent(_position(row), row["at"], row["kind"], row["subject_id"], json.loads(row["payload"]))
