"""Runs the processes of `outrider serve`: the API, the scheduler and the workers, each kind supervised.

No kind needs another one: the API answers while all workers are down, and workers crawl while the API is
started again. The supervisor answers no request and fetches nothing, so little can end it.
"""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from tempfile import TemporaryDirectory

from outrider.db.embedded import EmbeddedPostgres
from outrider.errors import OutriderError
from outrider.logs import get_logger
from outrider.settings import Loaded, Settings
from outrider.supervision.child_group import ChildGroup
from outrider.supervision.fork_server import stop_fork_server
from outrider.web import process as api_process
from outrider.web.exposition import forget_process
from outrider.workers.prepare import PRELOAD_WATCH, prepare_workers
from outrider.workers.supervisor import Supervisor
from outrider.workers.watching import Watching

log = get_logger()

TICK_S = 0.25
READY_CHECK_S = 0.05
DATABASE_CHECK_S = 0.5
# Together with the last requests of the API they stay below 30 s.
DRAIN_S = 15.0  # for the pages under way
WORKER_STOP_S = 20.0
SCHEDULER_STOP_S = 10.0
API_STOP_S = api_process.FINISH_S + 1.0
API_MAIN = "outrider.web.process:main"
SCHEDULER_MAIN = "outrider.scheduler.process:main"


class ServerRole(StrEnum):
    """A kind of process that `outrider serve` runs."""

    API = "api"
    SCHEDULER = "scheduler"
    WORKER = "worker"


@dataclass(frozen=True, slots=True)
class ServePlan:
    """Which processes run here."""

    roles: frozenset[ServerRole]
    workers: int

    def runs(self, role: ServerRole) -> bool:
        return role in self.roles


class Platform:
    """All processes of one `outrider serve`."""

    def __init__(
        self,
        loaded: Loaded,
        dsn: str,
        embedded: EmbeddedPostgres | None,
        plan: ServePlan,
        sockets: Sequence[socket.socket],
    ) -> None:
        settings = loaded.settings
        self.sockets = sockets
        self._embedded = embedded
        self._api: ChildGroup | None = None
        self._scheduler: ChildGroup | None = None
        self._workers: Supervisor | None = None
        self._watching: Watching | None = None
        self._metrics: TemporaryDirectory[str] | None = None
        if plan.runs(ServerRole.API):
            self._metrics = TemporaryDirectory(prefix="outrider-metrics-")
            # prometheus_client reads it when it is imported, in each process of the API.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = self._metrics.name
            given = api_process.ApiStart.of(loaded, dsn, sockets, self._metrics.name)
            self._api = ChildGroup("api", settings.web.processes, API_MAIN, (given,), gives_up=False)
        if plan.runs(ServerRole.SCHEDULER):
            self._scheduler = ChildGroup("scheduler", 1, SCHEDULER_MAIN, (settings, dsn), gives_up=False)
        if plan.runs(ServerRole.WORKER):
            self._workers = Supervisor(_draining_soon(settings), dsn, plan.workers, gives_up=False)
            self._watching = Watching(settings, dsn, self._workers)

    def start_early(self) -> None:
        """Let the API and the workers' fork server import their code before `run`, which starts the rest."""
        if self._api is not None:
            self._api.replace_ended()
        if self._workers is not None:
            prepare_workers(PRELOAD_WATCH)

    async def until_working(self, stop: asyncio.Event, longest_s: float) -> None:
        """Wait until a process of each kind has begun its work, but not for ever."""
        give_up_at = time.monotonic() + longest_s
        while not all(group.is_working for group in self._groups):
            if stop.is_set() or time.monotonic() > give_up_at:
                return
            await _wait(stop, READY_CHECK_S)

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then finish in order (ARC-04)."""
        tasks = [asyncio.create_task(self._keep_database())]
        watching = asyncio.create_task(self._watching.run()) if self._watching else None
        try:
            while not stop.is_set():
                self._replace_ended()
                await _wait(stop, TICK_S)
            if watching is not None:
                watching.cancel()
            await self._finish()
        finally:
            self.kill()
            for task in (*tasks, *filter(None, [watching])):
                task.cancel()
            if self._metrics is not None:
                self._metrics.cleanup()

    def kill(self) -> None:
        """End everything at once. What is written stays; pages under way are fetched again."""
        for group in self._groups:
            group.kill()

    @property
    def _groups(self) -> list[ChildGroup]:
        return [each for each in (self._api, self._scheduler, self._workers) if each is not None]

    def _replace_ended(self) -> None:
        for group in self._groups:
            before = set(group.pids)
            ended = group.replace_ended()
            for pid in set(group.pids) - before:
                log.info(f"{group.name} started", pid=pid)
            if ended and (error := group.last_error):
                again_s = group.pause_s if group.is_failing else None
                log.error(f"{group.name} failed", error=error, next_start_in_s=again_s)
            if group is self._api and self._metrics is not None:
                for pid in ended:
                    forget_process(pid, self._metrics.name)

    async def _finish(self) -> None:
        """Readiness goes false and streams close; workers and scheduler finish; then the API does."""
        if self._api is not None:
            self._api.signal(signal.SIGUSR1)
        stopping = []
        if self._scheduler is not None:
            stopping.append(self._scheduler.stop(SCHEDULER_STOP_S))
        if self._workers is not None:
            stopping.append(self._workers.stop(WORKER_STOP_S))
        if not all(await asyncio.gather(*stopping)):
            log.warning("some processes had to be killed; what they did not write is fetched again")
        if self._watching is not None:
            await asyncio.to_thread(stop_fork_server)
            await self._watching.end()
        if self._api is not None:
            await self._api.stop(API_STOP_S)

    async def _keep_database(self) -> None:
        """Start the embedded server again if it was killed."""
        while self._embedded is not None:
            try:
                if await asyncio.to_thread(self._embedded.ensure_running):
                    log.warning("the database was started again")
            except OutriderError as error:
                log.warning("database does not come back", error=str(error))
            await asyncio.sleep(DATABASE_CHECK_S)


def _draining_soon(settings: Settings) -> Settings:
    """The settings of workers that end in time."""
    return replace(settings, crawl=replace(settings.crawl, drain_s=min(settings.crawl.drain_s, DRAIN_S)))


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
