"""Runs with log lines, for readers of logs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.make import Operator

from outrider.crawl.seeds import start
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.stats import StatsStore
from outrider.jobs.model import JobStatus
from outrider.jobs.store import JobStore, NewJob
from outrider.jobs.transitions import FirstSchedule
from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive import finish_log
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.store import RunLogStore
from outrider.run_logs.writer import RunLogWriter
from outrider.runs.ending import end_now
from outrider.runs.model import Run, StartedBy
from outrider.runs.store import RunStore
from outrider.sources.policy import Policy


class LoggedRuns:
    """Runs of commands and of a job, whose lines the test writes."""

    def __init__(self, operator: Operator, writer: RunLogWriter) -> None:
        self.operator = operator
        self.writer = writer

    async def run(self, seed: str = "http://example.com/") -> Run:
        """An open run of a command; its log has one line."""
        begun = await self.operator.run(
            lambda db: start(db, Policy(seeds=(seed,)), self.operator.store, StatsStore())
        )
        assert begun.run is not None
        await self.operator.run(lambda db: RunLogStore().begin(db, begun.run.run_id))
        return begun.run

    async def job(self) -> tuple[int, str]:
        """A job that never ran: its number and its id."""
        source = await self.operator.new_source("logged")
        now = await self.operator.run(JobStore().now)
        schedule = FirstSchedule(JobStatus.SCHEDULED, now, None, None)
        job = await self.operator.run(lambda db: JobStore().create(db, NewJob(source, schedule)))
        return job.job_id, str(job.public_id)

    async def run_of_job(self, job_id: int, number: int) -> Run:
        job = (await self.operator.run(lambda db: JobStore().locked(db, job_id))).job
        run = await self.operator.run(
            lambda db: RunStore().open_for_job(db, job.source_id, job_id, number, StartedBy.SCHEDULE)
        )
        assert run is not None
        await self.operator.run(lambda db: RunLogStore().begin(db, run.run_id))
        return run

    async def say(self, run: Run, *messages: str) -> None:
        for message in messages:
            self.writer.write(run.run_id, LineLevel.INFO, LogCategory.FETCH, message)
        await self.writer.write_all()

    async def end(self, run: Run, objects: ObjectStore) -> None:
        """End the run and archive its log."""
        now = await self.operator.run(lambda db: RunStore().by_id(db, run.run_id))
        await self.operator.run(lambda db: end_now(db, self.operator.store, now))
        assert await finish_log(self.operator.connection, objects, run.run_id)


@asynccontextmanager
async def logged_runs(dsn: str, **options: object) -> AsyncIterator[LoggedRuns]:
    operator = await Operator.enter(dsn)
    connection = ReconnectingConnection(dsn, application_name="test writer")
    writer = RunLogWriter(connection, RunLogOptions(**options), worker_id=1)  # type: ignore[arg-type]
    try:
        yield LoggedRuns(operator, writer)
    finally:
        await connection.close()
        await operator.connection.close()
