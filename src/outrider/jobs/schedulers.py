"""The table of schedulers: which ones are alive, and what they watch."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries


@dataclass(frozen=True, slots=True)
class SchedulerLine:
    """A scheduler that runs, or that stopped within the last day."""

    token: UUID
    machine: str
    pid: int
    started_at: datetime
    beat_at: datetime
    stopped_at: datetime | None
    is_alive: bool
    runs: int
    stale_locks_cleared: int
    stats: dict[str, Any]  # the figures that it reported last (SCH-14)


async def list_schedulers(db: asyncpg.Connection) -> Sequence[SchedulerLine]:
    """The schedulers, those that started last first."""
    rows = await db.fetch(Queries.load("outrider.jobs").list_schedulers)
    return [SchedulerLine(**dict(row)) for row in rows]


async def record_all_stops(db: asyncpg.Connection) -> None:
    """Record that all schedulers have stopped, after a restore: the next one takes their runs over."""
    await db.execute(Queries.load("outrider.jobs").record_all_scheduler_stops)
