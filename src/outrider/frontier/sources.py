"""Sources as the frontier knows them: whose URLs these are, under which policy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound

WATCH_RUN = 0  # `outrider watch` runs under this number, which no source has


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

    async def claim_run(self, db: asyncpg.Connection, source_id: int) -> bool:
        """Be the one who runs this source, for as long as this connection lives."""
        return bool(await db.fetchval(self._sql.claim_run, source_id))

    async def join_watch(self, db: asyncpg.Connection) -> None:
        """Say that watched sources are being worked on, for as long as this connection lives."""
        await db.execute(self._sql.join_watch, WATCH_RUN)

    async def is_running(self, db: asyncpg.Connection, source_id: int) -> bool:
        return bool(await db.fetchval(self._sql.is_running, source_id))

    async def reserve_pages(self, db: asyncpg.Connection, source_id: int, wanted: int, limit: int) -> int:
        granted: int | None = await db.fetchval(self._sql.reserve_pages, source_id, wanted, limit)
        return granted or 0

    async def return_pages(self, db: asyncpg.Connection, source_id: int, pages: int) -> None:
        await db.execute(self._sql.return_pages, source_id, pages)

    async def settle_pages(self, db: asyncpg.Connection, source_id: int) -> None:
        """Free what nobody is using any more: only while no worker runs this source."""
        await db.execute(self._sql.settle_pages, source_id)
