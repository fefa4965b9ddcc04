"""A worker on a fresh database that watches sources and runs their jobs."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.support.make import Operator

from outrider.events.outbox import handle_waiting
from outrider.jobs.filter import JobFilter
from outrider.jobs.follow import Follower
from outrider.jobs.model import Job
from outrider.jobs.runner import JobRunner, StartRun
from outrider.jobs.scheduler import Scheduler, SchedulerLimits
from outrider.jobs.store import JobStore
from outrider.sources.model import Source
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.watch.source_runs import SourceRuns
from outrider.watch.source_service import SourceService


class WorkerRoom:
    """What people do to sources, what workers make of it, and the jobs that come out."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.run = operator.run
        self.source_service = SourceService(operator.store)

    async def watch(self, name: str = "blatt", **said: str) -> Source:
        changes = read_changes({"url": f"https://{name}.test/", "name": name} | said).checked()
        return (await self.run(lambda db: self.source_service.add(db, changes))).source

    async def edit(self, name: str = "blatt", **said: str) -> None:
        source = await self.source(name)
        changes = read_changes(said).checked()
        await self.run(lambda db: self.source_service.change(db, source, changes))

    async def disable(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.source_service.disable(db, source, "sold"))

    async def enable(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.source_service.enable(db, source))

    async def remove(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.source_service.remove(db, source))

    async def source(self, name: str = "blatt") -> Source:
        return await self.run(lambda db: SourceStore().find(db, name))

    async def follow(self) -> int:
        """As a worker does every few seconds."""
        return await handle_waiting(self.operator.connection, Follower().handle)

    def scheduler(self, start: StartRun | None = None, **limits: Any) -> Scheduler:
        """A scheduler of its own, not registered yet. `start` is what it does at the start of a run."""
        runs = SourceRuns(self.operator.store)
        runner = JobRunner(start or runs.start, runs.content_hash, self.operator.store)
        return Scheduler(self.operator.connection, runner, SchedulerLimits(**limits))

    async def run_due(self, start: StartRun | None = None) -> int:
        """Start what is due, by a scheduler that has never run before; returns how many were started."""
        return await self.scheduler(start).start_due()

    async def run_to_end(self, start: StartRun | None = None) -> int:
        """Start what is due and end the runs, which have nothing to fetch; returns how many were started."""
        scheduler = self.scheduler(start)
        started = await scheduler.start_due()
        await scheduler.watch_runs()
        return started

    async def jobs(self) -> list[Job]:
        lines, _ = await self.run(lambda db: JobStore().page(db, JobFilter(limit=1000)))
        return [line.job for line in lines]

    async def job(self) -> Job:
        [job] = await self.jobs()
        return job

    async def execute(self, sql: str, *args: Any) -> None:
        await self.run(lambda db: db.execute(sql, *args))

    async def now(self) -> Any:
        return await self.run(lambda db: db.fetchval("SELECT now()"))


@pytest.fixture
async def worker_context(database: str) -> AsyncIterator[WorkerRoom]:
    operator = await Operator.enter(database)
    yield WorkerRoom(operator)
    await operator.connection.close()


@pytest.fixture
async def other_worker_context(database: str) -> AsyncIterator[WorkerRoom]:
    """Somebody else's access to the same database."""
    operator = await Operator.enter(database)
    yield WorkerRoom(operator)
    await operator.connection.close()
