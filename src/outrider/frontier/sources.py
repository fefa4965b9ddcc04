"""Sources as the frontier knows them: whose URLs these are, under which policy."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID, uuid4

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.machine import is_alive, machine_id

CLAIM_LASTS_S = 30.0  # a process that did not renew its claim for so long has ended


@dataclass(frozen=True, slots=True)
class CrawlProcess:
    """A process that runs a crawl, or watches."""

    token: UUID
    machine: str
    pid: int

    @classmethod
    def this(cls) -> Self:
        return cls(uuid4(), machine_id(), os.getpid())


@dataclass(frozen=True, slots=True)
class Source:
    """What somebody asked us to watch."""

    source_id: int
    name: str
    priority: int
    policy: Mapping[str, Any]
    held: bool
    pending: int = 0
    kind: str = "crawl"
    mode: str = "spider"
    selectors: Mapping[str, Any] | None = None
    template: str | None = None


class SourceStore:
    """Sources, whether their URLs are held back, and their page limits."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.frontier")

    async def ensure(
        self, db: asyncpg.Connection, name: str, policy: Mapping[str, Any], priority: int
    ) -> Source:
        """The source of that name, with this policy from now on."""
        [row] = await db.fetch(self._sql.ensure_source, name, policy, priority)
        return Source(row["source_id"], name, priority, policy, row["held"])

    async def by_id(self, db: asyncpg.Connection, source_id: int) -> Source:
        row = await db.fetchrow(self._sql.source_by_id, source_id)
        if row is None:
            raise NotFound(f"there is no source {source_id}")
        return Source(**dict(row))

    async def all(self, db: asyncpg.Connection) -> list[Source]:
        return [Source(**dict(row)) for row in await db.fetch(self._sql.sources)]

    async def mark_held(self, db: asyncpg.Connection, source_id: int, *, held: bool) -> None:
        await db.execute(self._sql.mark_held, source_id, held)

    async def claim_run(self, db: asyncpg.Connection, source_id: int, process: CrawlProcess) -> bool:
        """Say that this process runs the crawl of a source, or still does; False when another one does."""
        await self.is_running(db, source_id)  # forgets a process that was killed
        args = (source_id, process.token, process.machine, process.pid, CLAIM_LASTS_S)
        return await db.fetchval(self._sql.claim_run, *args) is not None

    async def join_watch(self, db: asyncpg.Connection, process: CrawlProcess) -> None:
        """Say that this process watches all sources, or still does."""
        await db.execute(self._sql.join_watch, process.token, process.machine, process.pid)

    async def is_running(self, db: asyncpg.Connection, source_id: int) -> bool:
        """Whether some process runs the crawl of this source."""
        return await self._is_claimed(db, source_id)

    async def is_watching(self, db: asyncpg.Connection) -> bool:
        """Whether some process watches."""
        return await self._is_claimed(db, None)

    async def end(self, db: asyncpg.Connection, process: CrawlProcess) -> None:
        """This process is done."""
        await db.execute(self._sql.end_process, process.token)

    async def _is_claimed(self, db: asyncpg.Connection, source_id: int | None) -> bool:
        """A process of this machine that is gone has no claim any more."""
        claims = 0
        for row in await db.fetch(self._sql.processes_of, source_id, CLAIM_LASTS_S):
            if row["machine"] == machine_id() and not is_alive(row["pid"]):
                await db.execute(self._sql.end_process, row["token"])
            else:
                claims += 1
        return claims > 0

    async def reserve_pages(self, db: asyncpg.Connection, source_id: int, wanted: int, limit: int) -> int:
        granted: int | None = await db.fetchval(self._sql.reserve_pages, source_id, wanted, limit)
        return granted or 0

    async def return_pages(self, db: asyncpg.Connection, source_id: int, pages: int) -> None:
        await db.execute(self._sql.return_pages, source_id, pages)

    async def settle_pages(self, db: asyncpg.Connection, source_id: int) -> None:
        """Free what nobody is using any more: only while no worker runs this source."""
        await db.execute(self._sql.settle_pages, source_id)
