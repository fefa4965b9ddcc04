"""Waits for the next run of jobs: one look for all jobs whose streams wait."""

import asyncio
from collections.abc import Callable, Sequence

import asyncpg

from outrider.db.pooled import PooledConnections
from outrider.logs import get_logger
from outrider.run_logs.job_runs import next_runs_of_jobs

log = get_logger()

LOOK_S = 1.0
PATIENCE_S = 10.0


class AwaitedRun:
    """The next run of a job after another one; `run_id` is None until it has started."""

    def __init__(self, job_id: int, after: int, wake: Callable[[], None]) -> None:
        self.job_id = job_id
        self.after = after
        self.run_id: int | None = None
        self.wake = wake


class NextRuns:
    """Looks every second while a stream waits, and not at all otherwise."""

    def __init__(self, connections: PooledConnections) -> None:
        self._connections = connections
        self._awaited: set[AwaitedRun] = set()
        self._has_some = asyncio.Event()

    def expect(self, job_id: int, after: int, wake: Callable[[], None]) -> AwaitedRun:
        """Call `wake` when the job has a run after this one."""
        awaited = AwaitedRun(job_id, after, wake)
        self._awaited.add(awaited)
        self._has_some.set()
        return awaited

    def forget(self, awaited: AwaitedRun) -> None:
        self._awaited.discard(awaited)
        if not self._awaited:
            self._has_some.clear()

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self._has_some.wait()
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Look once."""
        awaited = list(self._awaited)
        for each, run_id in zip(awaited, await self._find(awaited), strict=True):
            if run_id is not None:
                each.run_id = run_id
                each.wake()

    async def _find(self, awaited: Sequence[AwaitedRun]) -> list[int | None]:
        async def find(db: asyncpg.Connection) -> list[int | None]:
            return await next_runs_of_jobs(db, [(each.job_id, each.after) for each in awaited])

        return await self._connections.run(find, patience_s=PATIENCE_S, is_one_statement=True)
