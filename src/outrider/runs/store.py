"""The statements on the table `run`."""

from collections.abc import Mapping
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.events.catalogue import EventKind
from outrider.frontier.runs import forget_run_counts
from outrider.runs.announce import announce_run
from outrider.runs.model import CancelledBy, OpenCrawl, OpenRun, Run, RunStatus, RunVerdict, StartedBy

LONGEST_ERROR = 2_000
LONGEST_TRACE = 20_000


class RunStore:
    """Starts, reads and ends runs. The caller opens the transaction."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.runs")

    async def open_for_job(
        self,
        db: asyncpg.Connection,
        source_id: int,
        job_id: int,
        number: int,
        started_by: StartedBy,
        retry_attempt: int = 0,
    ) -> Run | None:
        """Start a run of a job; None if the job has an open run."""
        row = await db.fetchrow(
            self._sql.open_run_of_job, source_id, job_id, number, started_by.value, retry_attempt
        )
        return None if row is None else await _announced(db, EventKind.RUN_STARTED, row)

    async def open_for_command(
        self, db: asyncpg.Connection, source_id: int, started_by: StartedBy = StartedBy.COMMAND
    ) -> Run:
        """The open run of a crawl, or a new one."""
        row = await db.fetchrow(self._sql.open_run_of_command, source_id, started_by.value)
        if row is not None:
            return await _announced(db, EventKind.RUN_STARTED, row)
        return run_of_row(await db.fetchrow(self._sql.open_run_of_source, source_id))

    async def open_of_command(self, db: asyncpg.Connection, source_id: int) -> Run | None:
        """The open run of a crawl command."""
        row = await db.fetchrow(self._sql.open_run_of_source, source_id)
        return None if row is None else run_of_row(row)

    async def adopt(self, db: asyncpg.Connection, run: Run, started_by: StartedBy) -> Run:
        """Let an open run go on for another starter, which decides who ends it."""
        if run.started_by is started_by:
            return run
        return run_of_row(await db.fetchrow(self._sql.adopt_run, run.run_id, started_by.value))

    async def open_crawls(self, db: asyncpg.Connection) -> list[OpenCrawl]:
        """The open runs that have no job."""
        rows = await db.fetch(self._sql.open_crawls)
        return [OpenCrawl(*row)._replace(started_by=StartedBy(row["started_by"])) for row in rows]

    async def by_id(self, db: asyncpg.Connection, run_id: int) -> Run:
        """Raises NotFound if there is no such run."""
        row = await db.fetchrow(self._sql.run_by_id, run_id)
        if row is None:
            raise NotFound(f"there is no run {run_id}: `outrider run list` shows them")
        return run_of_row(row)

    async def open_runs(self, db: asyncpg.Connection) -> list[OpenRun]:
        return [OpenRun(*row) for row in await db.fetch(self._sql.open_runs)]

    async def ask_to_cancel(
        self,
        db: asyncpg.Connection,
        run_id: int,
        why: str,
        by: CancelledBy = CancelledBy.OPERATOR,
    ) -> bool:
        """Ask for the end of a run; False if it has ended or was asked before."""
        async with db.transaction():
            row = await db.fetchrow(self._sql.ask_to_cancel, run_id, why[:LONGEST_ERROR], by.value)
            if row is not None:
                await _announced(db, EventKind.RUN_CANCELLING, row)
        return row is not None

    async def open_of_job(self, db: asyncpg.Connection, job_id: int) -> Run | None:
        """The open run of a job."""
        row = await db.fetchrow(self._sql.open_of_job, job_id)
        return None if row is None else run_of_row(row)

    async def cancelled_for_s(self, db: asyncpg.Connection, run_id: int) -> float | None:
        """Seconds since the end of the run was asked for; None if it was not."""
        seconds: float | None = await db.fetchval(self._sql.cancelled_for_s, run_id)
        return seconds

    async def remove_of_job(self, db: asyncpg.Connection, job_id: int) -> None:
        """Remove the runs of a job and their counters."""
        gone = await db.fetch(self._sql.remove_runs_of_job, job_id)
        await forget_run_counts(db, [row["run_id"] for row in gone])

    async def prune(self, db: asyncpg.Connection, newest: int, keep_s: float, most: int) -> list[str | None]:
        """Remove up to `most` runs that are neither among the newest of their job nor young enough.

        Returns the key of the archived log of each, None where it has none: the caller removes the logs.
        """
        gone = await db.fetch(self._sql.prune_runs, newest, keep_s, most)
        await forget_run_counts(db, [row["run_id"] for row in gone])
        return [row["log_object_key"] for row in gone]

    async def end(
        self,
        db: asyncpg.Connection,
        run_id: int,
        verdict: RunVerdict,
        metrics: Mapping[str, Any],
        *,
        pages: int,
        indexed: int,
        stack_trace: str | None = None,
    ) -> Run | None:
        """End a run; None if it has ended already."""
        async with db.transaction():
            row = await db.fetchrow(
                self._sql.end_run,
                run_id,
                verdict.status.value,
                verdict.error and verdict.error[:LONGEST_ERROR],
                pages,
                indexed,
                dict(metrics),
                stack_trace and stack_trace[-LONGEST_TRACE:],
            )
            return None if row is None else await _announced(db, EventKind.RUN_ENDED, row)

    async def set_log(self, db: asyncpg.Connection, run_id: int, key: str, size: int, lines: int) -> None:
        """Record where the archive has the log of a run."""
        await db.execute(self._sql.set_log, run_id, key, size, lines)

    async def with_old_logs(self, db: asyncpg.Connection, days: int, most: int) -> list[tuple[int, str]]:
        """Runs that ended so many days ago, with the key of their archived log."""
        return [
            (row["run_id"], row["log_object_key"])
            for row in await db.fetch(self._sql.with_old_logs, days, most)
        ]

    async def forget_log(self, db: asyncpg.Connection, run_id: int) -> None:
        """Record that the archive has the log of a run no more."""
        await db.execute(self._sql.forget_log, run_id)


async def _announced(db: asyncpg.Connection, kind: EventKind, row: Any) -> Run:
    """The run, after its event was written."""
    run = run_of_row(row)
    await announce_run(db, kind, run)
    return run


def run_of_row(row: Any) -> Run:
    return Run(
        **dict(row)
        | {
            "status": RunStatus(row["status"]),
            "started_by": StartedBy(row["started_by"]),
            "cancelled_by": CancelledBy(by) if (by := row["cancelled_by"]) else None,
        }
    )
