"""Which processes run a crawl or watch: the table `crawl_process`."""

import os
from dataclasses import dataclass
from typing import Self
from uuid import UUID, uuid4

import asyncpg

from outrider.db.queries import Queries
from outrider.machine import is_alive, machine_id

CLAIM_LASTS_S = 30.0  # a process that has not renewed its claim for this long has ended

_SQL = Queries.load("outrider.crawl")


@dataclass(frozen=True, slots=True)
class CrawlProcess:
    """A process that runs a crawl, or watches."""

    token: UUID
    machine: str
    pid: int

    @classmethod
    def this(cls) -> Self:
        return cls(uuid4(), machine_id(), os.getpid())


async def claim_run(db: asyncpg.Connection, source_id: int, process: CrawlProcess) -> bool:
    """Record or renew that this process runs the crawl of a source; False when another process runs it."""
    await is_running(db, source_id)  # deletes the claim of a process that was killed
    args = (source_id, process.token, process.machine, process.pid, CLAIM_LASTS_S)
    return await db.fetchval(_SQL.claim_run, *args) is not None


async def join_watch(db: asyncpg.Connection, process: CrawlProcess) -> None:
    """Record or renew that this process watches all sources."""
    await db.execute(_SQL.join_watch, process.token, process.machine, process.pid)


async def is_running(db: asyncpg.Connection, source_id: int) -> bool:
    """Whether a process runs the crawl of this source."""
    return await _is_claimed(db, source_id)


async def crawled_sources(db: asyncpg.Connection) -> set[int]:
    """The sources that a live process crawls. Only reads."""
    rows = await db.fetch(_SQL.crawl_processes, CLAIM_LASTS_S)
    return {row["source_id"] for row in rows if row["machine"] != machine_id() or is_alive(row["pid"])}


async def is_watching(db: asyncpg.Connection) -> bool:
    """Whether a process watches."""
    return await _is_claimed(db, None)


async def end_process(db: asyncpg.Connection, process: CrawlProcess) -> None:
    """Delete the claim of this process."""
    await db.execute(_SQL.end_process, process.token)


async def _is_claimed(db: asyncpg.Connection, source_id: int | None) -> bool:
    """Whether a live process has the claim; deletes claims of dead processes of this machine."""
    claims = 0
    for row in await db.fetch(_SQL.processes_of, source_id, CLAIM_LASTS_S):
        if row["machine"] == machine_id() and not is_alive(row["pid"]):
            await db.execute(_SQL.end_process, row["token"])
        else:
            claims += 1
    return claims > 0
