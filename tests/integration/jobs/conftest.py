"""A worker's access to a fresh database, and a desk that watches sources and lets their jobs follow."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.support.make import Clerk

from outrider.events.outbox import work_through
from outrider.jobs.follow import Follower
from outrider.jobs.model import Job
from outrider.jobs.run import Start, run_due
from outrider.jobs.store import JobFilter, JobStore
from outrider.sources.model import Watched
from outrider.sources.store import WatchedStore
from outrider.sources.wishes import read_wishes
from outrider.watch.registry import Registry


class Office:
    """What people do to sources, what workers make of it, and the jobs that come out."""

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self.run = clerk.run
        self.registry = Registry(clerk.store)

    async def watch(self, name: str = "blatt", **said: str) -> Watched:
        wishes = read_wishes({"url": f"https://{name}.test/", "name": name} | said).checked()
        return (await self.run(lambda db: self.registry.add(db, wishes))).source

    async def edit(self, name: str = "blatt", **said: str) -> None:
        source = await self.source(name)
        wishes = read_wishes(said).checked()
        await self.run(lambda db: self.registry.change(db, source, wishes))

    async def disable(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.registry.disable(db, source, "sold"))

    async def enable(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.registry.enable(db, source))

    async def remove(self, name: str = "blatt") -> None:
        source = await self.source(name)
        await self.run(lambda db: self.registry.remove(db, source))

    async def source(self, name: str = "blatt") -> Watched:
        return await self.run(lambda db: WatchedStore().find(db, name))

    async def follow(self) -> int:
        """As a worker does every few seconds."""
        return await work_through(self.clerk.line, Follower().handle)

    async def run_due(self, start: Start | None = None) -> int:
        return await run_due(self.clerk.line, start or self.registry.visit_now)

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
async def office(database: str) -> AsyncIterator[Office]:
    clerk = await Clerk.enter(database)
    yield Office(clerk)
    await clerk.line.close()


@pytest.fixture
async def other_office(database: str) -> AsyncIterator[Office]:
    """Somebody else's access to the same database."""
    clerk = await Clerk.enter(database)
    yield Office(clerk)
    await clerk.line.close()
