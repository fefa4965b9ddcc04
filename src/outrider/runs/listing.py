"""Runs with the names of their sources, as lists and single views need them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.runs.model import Run, RunStatus, StartedBy
from outrider.runs.store import run_of_row
from outrider.sources.policy import policy_of_row

_SQL = Queries.load("outrider.runs")
_OF_OTHERS = ("source_name", "policy", "job_public_id")


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run, its source and its job."""

    run: Run
    source_name: str
    seeds: Sequence[str]  # of the source
    job_public_id: UUID | None


@dataclass(frozen=True, slots=True)
class RunSelection:
    """Which runs to list. None matches every run."""

    statuses: Sequence[RunStatus] | None = None
    source_id: int | None = None
    started_by: StartedBy | None = None
    job: UUID | None = None


@dataclass(frozen=True, slots=True)
class RunStats:
    """The runs of a source in numbers (JOB-18)."""

    total: int
    successful: int
    failed: int
    cancelled: int
    average_duration_s: float | None  # of the completed and failed runs
    last_execution_at: datetime | None

    @property
    def success_rate(self) -> float | None:
        """The share of successful runs among those that completed or failed."""
        decided = self.successful + self.failed
        return self.successful / decided if decided else None


@dataclass(frozen=True, slots=True)
class LatestResults:
    """How the latest runs of jobs ended."""

    completed: int = 0
    failed: int = 0


async def latest_results(db: asyncpg.Connection, since_s: float, most: int) -> LatestResults:
    """The newest `most` runs of jobs that started within so many seconds and have completed or failed."""
    [row] = await db.fetch(_SQL.latest_results, since_s, most)
    return LatestResults(**dict(row))


async def list_page(
    db: asyncpg.Connection,
    wanted: RunSelection,
    limit: int,
    offset: int,
    *,
    before: int | None = None,
    counted: int | None = None,
) -> tuple[list[ListedRun], int]:
    """A page of the list, newest first, and the total number of runs.

    `before` leaves out runs from this number on. `counted` bounds the count, which then is at most that.
    """
    narrowed = (
        None if wanted.statuses is None else [status.value for status in wanted.statuses],
        wanted.source_id,
        None if wanted.started_by is None else wanted.started_by.value,
        wanted.job,
    )
    rows = await db.fetch(_SQL.list_runs, *narrowed, limit, offset, before)
    total: int = await db.fetchval(_SQL.count_runs, *narrowed, counted)
    return [_listed(row) for row in rows], total


async def listed_run(db: asyncpg.Connection, run_id: int) -> ListedRun:
    """Raises NotFound if there is no such run."""
    row = await db.fetchrow(_SQL.listed_run, run_id)
    if row is None:
        raise NotFound(f"there is no run {run_id}: `outrider run list` shows them")
    return _listed(row)


async def run_of_public_id(db: asyncpg.Connection, public_id: UUID) -> int | None:
    """The number of the run with this id; None if there is none."""
    number: int | None = await db.fetchval(_SQL.run_of_public_id, public_id)
    return number


async def newest_run(db: asyncpg.Connection) -> int | None:
    """The number of the newest run; None if there is none."""
    number: int | None = await db.fetchval(_SQL.newest_run)
    return number


async def stats_of_source(db: asyncpg.Connection, source_id: int) -> RunStats:
    """The runs of a source in numbers."""
    [row] = await db.fetch(_SQL.run_stats, source_id)
    return RunStats(**dict(row))


def _listed(row: Any) -> ListedRun:
    values = dict(row)
    seeds = policy_of_row(row).seeds
    source_name, _, job_public_id = (values.pop(name) for name in _OF_OTHERS)
    return ListedRun(run_of_row(values), source_name, seeds, job_public_id)
