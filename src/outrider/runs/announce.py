"""Writes the events of runs, in the transaction that changes the run."""

from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.events.catalogue import EventKind
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.runs.model import Run

LONGEST_SHOWN = 500  # characters of an error or a reason

_SQL = Queries.load("outrider.runs")


async def announce_run(db: asyncpg.Connection, kind: EventKind, run: Run) -> None:
    """Write what happened to a run; the end of a job's run is also `job.completed`."""
    job_id = None if run.job_id is None else await db.fetchval(_SQL.public_id_of_job, run.job_id)
    payload = _payload(run, None if job_id is None else str(job_id))
    events = [NewEvent(kind, str(run.public_id), payload)]
    if kind is EventKind.RUN_ENDED and job_id is not None:
        events.append(NewEvent(EventKind.JOB_COMPLETED, str(job_id), payload))
    await write_events(db, events)


def _payload(run: Run, job_id: str | None) -> dict[str, Any]:
    known = {
        "run_id": run.run_id,
        "execution_id": str(run.public_id),
        "job_id": job_id,
        "source_id": run.source_id,
        "execution_number": run.execution_number,
        "status": run.status.value,
        "started_by": run.started_by.value,
        "started_at": run.started_at.isoformat(),
    }
    if run.cancel_reason is not None:
        known["cancel_reason"] = run.cancel_reason[:LONGEST_SHOWN]
    took = run.duration
    if run.completed_at is not None and took is not None:
        known |= {
            "completed_at": run.completed_at.isoformat(),
            "duration_ms": round(took.total_seconds() * 1000),
            "items_crawled": run.items_crawled,
            "items_indexed": run.items_indexed,
            "error_message": run.error_message and run.error_message[:LONGEST_SHOWN],
        }
    return known
