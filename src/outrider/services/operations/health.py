"""The use case of health: asks every part at once and says what works (API-01, OBS-13)."""

import asyncio
import shutil
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import asyncpg

from outrider import __version__
from outrider.backup.policy import BackupHistory
from outrider.backup.task import read_history
from outrider.db.queries import Queries
from outrider.errors import OutriderError
from outrider.services.operations.health_policy import (
    CheckStatus,
    HealthReport,
    PartHealth,
    backup_check,
    scheduler_check,
    sentences_of,
    status_of,
    workers_check,
)
from outrider.services.operations.probe import Probe
from outrider.settings import Settings
from outrider.worker_registry.store import FORGOTTEN_S, HEARTBEAT_AGE_S

CHECK_S = 2.0  # longest time of a check
KEPT_S = 1.0  # an answer is given again for this long, so that many callers cost one check
LEAST_FREE = 200 << 20  # bytes of the disk

Connect = Callable[[], AbstractAsyncContextManager[asyncpg.Connection]]


@dataclass(frozen=True, slots=True)
class ProcessFacts:
    """The processes that have a heartbeat in the database."""

    live_workers: int
    silent_workers: int
    schedulers: int


class HealthCheck:
    """The health of Outrider as one process sees it. `report()` is fast, whatever hangs."""

    def __init__(self, connect: Connect, settings: Settings, started_at: datetime) -> None:
        self._connect = connect
        self._settings = settings
        self._started_at = started_at
        self._database = Probe(self._ask_database)
        self._redis = Probe(self._ask_redis)
        self._disk = Probe(self._ask_disk)
        self._turn = asyncio.Lock()
        self._last: HealthReport | None = None
        self._last_at = 0.0

    async def report(self) -> HealthReport:
        """The health now, or as it was a moment ago."""
        async with self._turn:
            if self._last is None or time.monotonic() - self._last_at > KEPT_S:
                self._last = await self._look()
                self._last_at = time.monotonic()
        uptime_s = (datetime.now(UTC) - self._started_at).total_seconds()
        return replace(self._last, uptime_s=round(uptime_s, 1))

    async def _look(self) -> HealthReport:
        database, redis, disk = await asyncio.gather(
            self._check_database(), self._check_redis(), self._check_disk()
        )
        checks = {
            **database,
            "redis": redis,
            "object_store": disk,
            "index": PartHealth(CheckStatus.OFF, message="pages are kept and searched in PostgreSQL"),
        }
        return HealthReport(
            status_of(checks), checks, sentences_of(checks), __version__, self._started_at, 0.0
        )

    async def _check_database(self) -> dict[str, PartHealth]:
        """The database, and what it knows about workers and schedulers."""
        try:
            (facts, backups), took_ms = await self._database.answer(CHECK_S)
        except (TimeoutError, OSError, OutriderError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            failed = PartHealth(
                CheckStatus.FAILED, message=f"the database does not answer: {_why(error)}; requests get 503"
            )
            unknown = PartHealth(CheckStatus.OFF, message="unknown while the database does not answer")
            return {"database": failed, "workers": unknown, "scheduler": unknown, "backup": unknown}
        is_enabled = self._settings.jobs.enabled
        return {
            "database": PartHealth(CheckStatus.OK, took_ms),
            "workers": workers_check(facts.live_workers, facts.silent_workers),
            "scheduler": scheduler_check(facts.schedulers, is_enabled=is_enabled),
            "backup": backup_check(backups, datetime.now(UTC), is_daily=self._settings.has_daily_backup),
        }

    async def _check_redis(self) -> PartHealth:
        if not uses_redis(self._settings):
            return PartHealth(CheckStatus.OFF, message="not configured: PostgreSQL does its work")
        try:
            _, took_ms = await self._redis.answer(CHECK_S)
        except (TimeoutError, OSError, OutriderError) as error:
            return PartHealth(
                CheckStatus.FAILED,
                message=f"Redis does not answer: {_why(error)}; PostgreSQL does its work meanwhile",
            )
        return PartHealth(CheckStatus.OK, took_ms)

    async def _check_disk(self) -> PartHealth:
        try:
            free, took_ms = await self._disk.answer(CHECK_S)
        except (TimeoutError, OSError) as error:
            return PartHealth(
                CheckStatus.FAILED,
                message=f"the data directory cannot be read: {_why(error)}; logs of runs wait",
            )
        if free < LEAST_FREE:
            return PartHealth(
                CheckStatus.FAILED, took_ms, f"only {free >> 20:,} MiB are left on the disk: free some space"
            )
        return PartHealth(CheckStatus.OK, took_ms)

    async def _ask_database(self) -> tuple[ProcessFacts, BackupHistory]:
        async with self._connect() as db:
            return await read_process_facts(db), await read_history(db)

    async def _ask_redis(self) -> None:
        from outrider.redis.connect import asking, connect  # importing redis is slow

        redis = connect(self._settings.redis, tries=1)
        try:
            with asking(self._settings.redis.address):
                await redis.ping()
        finally:
            await redis.aclose()

    async def _ask_disk(self) -> int:
        folder = self._settings.database.data_dir.expanduser()
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent  # a server of its own: nothing was archived yet
        return (await asyncio.to_thread(shutil.disk_usage, folder)).free


async def read_process_facts(db: asyncpg.Connection) -> ProcessFacts:
    """The processes that have a heartbeat."""
    [row] = await db.fetch(Queries.load("outrider.services").process_facts, HEARTBEAT_AGE_S, FORGOTTEN_S)
    return ProcessFacts(**dict(row))


def uses_redis(settings: Settings) -> bool:
    """Whether a setting makes use of Redis."""
    redis = settings.redis
    features = (redis.workers, redis.events, redis.run_logs, redis.adaptive, redis.totals)
    return any(features) or settings.crawl.share_visited or bool(settings.coordination.redis)


def _why(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {CHECK_S:g} seconds"
    return str(error).rstrip(".") or type(error).__name__
