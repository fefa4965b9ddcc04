"""A worker's access to a fresh database, and a desk that watches sources and lets their jobs follow."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.support.make import Operator

from outrider.events.outbox import work_through
from outrider.jobs.follow import Follower
from outrider.jobs.model import Job
from outrider.jobs.run import Start, run_due
from outrider.jobs.store import JobFilter, JobStore
from outrider.sources.model import Source
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
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
        return await work_through(self.operator.connection, Follower().handle)

    async def run_due(self, start: Start | None = None) -> int:
        return await run_due(self.operator.connection, start or self.source_service.visit_now)

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
