"""Many jobs that become due again and again, while schedulers and PostgreSQL are killed at random."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import psutil
from tests.support.embedded import QUICK
from tests.support.make import Operator
from tests.support.scheduler_processes import scheduler_processes

from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import OutriderError
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService

SCHEDULERS, SOURCES, JOBS = 10, 10, 1_000
STUCK_S = 60.0
KILLS_A_ROUND = 40
SERVER_BACK_S = 60.0

_JOBS = """
  INSERT INTO job (source_id, status, schedule_enabled, interval_count, interval_type, next_run_at, slot_at,
                   adaptive_scheduling)
  SELECT s.source_id, 'scheduled', true, 6, 'hours', now() + interval '1 day', now() + interval '1 day', false
    FROM source s, generate_series(1, $1)
   WHERE s.kind = 'watch'
"""
_MAKE_DUE = """
  WITH due AS (
    UPDATE job SET next_run_at = now() - interval '1 second', slot_at = now() - interval '1 second'
     WHERE status = 'scheduled' AND lock_token IS NULL AND next_run_at > now() AND job_id % $1 = 0
    RETURNING job_id
  )
  INSERT INTO times_due AS t (job_id, times) SELECT job_id, 1 FROM due
  ON CONFLICT (job_id) DO UPDATE SET times = t.times + 1
"""
_LEFT = "SELECT count(*) FROM job WHERE lock_token IS NOT NULL OR next_run_at <= now()"
_WRONG = """
  SELECT j.job_id, t.times, j.runs, r.runs AS rows, r.highest, r.open, r.completed
    FROM job j
    JOIN times_due t USING (job_id)
    LEFT JOIN LATERAL (
      SELECT count(*) AS runs, max(execution_number) AS highest,
             count(*) FILTER (WHERE status = 'running') AS open,
             count(*) FILTER (WHERE status = 'completed') AS completed
        FROM run WHERE run.job_id = j.job_id
    ) r ON true
   WHERE j.runs <> t.times OR r.runs <> t.times OR r.highest <> t.times OR r.open > 0
      OR r.completed <> t.times
      OR j.status <> 'scheduled' OR j.lock_token IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class StormResult:
    """What became of the jobs of a storm."""

    killed_schedulers: int
    killed_servers: int
    runs: int
    wrong: Sequence[Mapping[str, Any]]  # jobs that did not run exactly once each time they were due

    @property
    def skipped(self) -> int:
        return sum(max(row["times"] - row["rows"], 0) for row in self.wrong)

    @property
    def double(self) -> int:
        return sum(max(row["rows"] - row["times"], 0) for row in self.wrong)


async def job_storm(root: Path, output: Path, *, seed: int, shares: Sequence[int]) -> StormResult:
    """Ten schedulers and 1,000 jobs on a server of their own.

    For each share every job, or one in so many, becomes due once, while schedulers and the server are killed.
    """
    server = EmbeddedPostgres(root, QUICK)
    dsn = await asyncio.to_thread(server.start)
    operator = None
    try:
        await _migrate(dsn)
        operator = await Operator.enter(dsn)
        service = SourceService(operator.store)
        for number in range(SOURCES):
            changes = read_changes({"url": f"https://n{number}.test/", "name": f"n{number}"}).checked()
            await operator.run(partial(service.add, changes=changes))
        storm = JobStorm(root, server, operator.connection, seed)
        await storm.add_jobs(JOBS // SOURCES)
        with scheduler_processes(dsn, SCHEDULERS, output) as schedulers:
            for one_in in shares:
                await storm.round(schedulers, one_in=one_in)
        runs = await storm.run(lambda db: db.fetchval("SELECT count(*) FROM run"))
        return StormResult(storm.killed_schedulers, storm.killed_servers, runs, await storm.wrong())
    finally:
        if operator is not None:
            with suppress(OSError, asyncpg.PostgresError):
                await operator.connection.close()
        await asyncio.to_thread(server.release)


async def _migrate(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await migrate.up(connection)
    finally:
        await connection.close()


class JobStorm:
    """Jobs of a database whose server may be killed."""

    def __init__(
        self, root: Path, server: EmbeddedPostgres, connection: ReconnectingConnection, seed: int
    ) -> None:
        self._root = root
        self._server = server
        self._connection = connection
        self._dice = random.Random(seed)
        self.killed_schedulers = 0
        self.killed_servers = 0

    async def run(self, work: Any) -> Any:
        return await self._connection.run(work, patience_s=30)

    async def add_jobs(self, of_each_source: int) -> None:
        await self.run(lambda db: db.execute(_JOBS, of_each_source))
        await self.run(lambda db: db.execute("CREATE TABLE times_due (job_id int PRIMARY KEY, times int)"))

    async def round(self, schedulers: psutil.Process, *, one_in: int = 1) -> None:
        """Every job, or one in so many, becomes due once, and has run when this returns.

        The schedulers are the children of a process. Kills follow the progress of the jobs, so that on a slow
        machine schedulers live long enough to run some.
        """
        await self.run(lambda db: db.execute(_MAKE_DUE, one_in))
        left = total = await self.run(lambda db: db.fetchval(_LEFT))
        step = max(total // KILLS_A_ROUND, 1)
        next_kill, server_kill = total - step, total * 2 // 3
        give_up_at = time.monotonic() + STUCK_S
        while left:
            await asyncio.sleep(self._dice.uniform(0.1, 0.5))
            before, left = left, await self.run(lambda db: db.fetchval(_LEFT))
            if left < before:
                give_up_at = time.monotonic() + STUCK_S
            assert time.monotonic() < give_up_at, f"{left} of {total} jobs did not run, none in {STUCK_S:g} s"
            while total // 10 < left <= next_kill:
                next_kill -= step
                self._kill_schedulers(schedulers, self._dice.randint(0, 2))
            if left < server_kill:
                server_kill = 0
                await self._kill_server()

    async def wrong(self) -> list[dict[str, Any]]:
        """Jobs that did not run exactly once each time they were due."""
        return [dict(row) for row in await self.run(lambda db: db.fetch(_WRONG))]

    def _kill_schedulers(self, schedulers: psutil.Process, number: int) -> None:
        running = schedulers.children()
        for process in self._dice.sample(running, min(number, len(running))):
            with suppress(psutil.NoSuchProcess):
                process.kill()
                self.killed_schedulers += 1

    async def _kill_server(self) -> None:
        server = postmaster.find(self._root / "database" / "data")
        assert server is not None
        os.kill(server.pid, signal.SIGKILL)
        self.killed_servers += 1
        async with asyncio.timeout(SERVER_BACK_S):
            while not await asyncio.to_thread(self._is_back, server.pid):  # noqa: ASYNC110
                await asyncio.sleep(0.2)

    def _is_back(self, killed: int) -> bool:
        """Start the server, as a crawl does. Right after the kill, the killed one may still look alive."""
        with suppress(OutriderError):
            self._server.ensure_running()
        found = postmaster.find(self._root / "database" / "data")
        return found is not None and found.pid != killed and found.is_ready
