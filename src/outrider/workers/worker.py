"""One worker: claims hosts, runs a lane for each, writes what they learn."""

import asyncio
import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress

import asyncpg
import structlog

from outrider.crawl.desk import Desk
from outrider.crawl.lane import work
from outrider.db.line import Line
from outrider.documents.likeness import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.frontier.lease import Lease
from outrider.frontier.store import Release
from outrider.watch.duties import Duty, attend
from outrider.workers.figures import figures_of

log = structlog.get_logger(__name__)

IDLE_S = 1.0  # CLM-05: nothing to claim, look again in about this time
BEAT_S = 1.0
REFRESH_S = 5.0
COMPARE_S = 2.0
BUSY_LANES = 8  # with more requests in flight than this, comparing documents can wait


class Worker:
    """The loops of one worker process around one desk."""

    def __init__(
        self,
        desk: Desk,
        line: Line,
        side_line: Line,
        parent_pid: int | None = None,
        duties: Sequence[Duty] = (),
    ) -> None:
        self._desk = desk
        self._line = line  # for claims
        self._side_line = side_line  # for what may wait: heartbeats, near-duplicates
        self._documents = DocumentStore()
        self._parent_pid = parent_pid
        self._duties = list(duties)
        self._lanes: dict[int, asyncio.Task[None]] = {}
        self._leases: dict[int, Lease] = {}
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()

    async def run(self) -> None:
        """Work until told to stop, then finish what is under way, write it and leave."""
        flushing = asyncio.create_task(self._desk.flusher.run())
        background = [asyncio.create_task(loop()) for loop in (self._beat, self._refresh, self._compare)]
        background.append(asyncio.create_task(attend(self._duties)))
        try:
            await self._claim()
            await self._drain()
        finally:
            self._desk.flusher.stop()
            await flushing
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await self._leave()

    def stop(self) -> None:
        """Take no more hosts; lanes end after the request they are in."""
        self._desk.stopping = True
        self._stop.set()
        self._wake.set()

    def held(self) -> list[int]:
        """Hosts whose lease is surely still ours while a flush runs."""
        safe_until = time.monotonic() + 10
        return [lease.host_id for lease in self._leases.values() if lease.expires > safe_until]

    def released(self, due_in_s: dict[int, float]) -> None:
        """Hosts went back; those due again soon are worth another look then."""
        loop = asyncio.get_running_loop()
        for seconds in due_in_s.values():
            if seconds <= 0:
                self._wake.set()
            elif seconds < IDLE_S:
                loop.call_later(seconds, self._wake.set)

    async def _claim(self) -> None:
        while not self._stop.is_set():
            self._wake.clear()
            free = self._desk.options.lanes - len(self._lanes)
            asked = min(free, self._desk.frontier.options.hosts_per_claim)
            taken = await self._take(asked) if asked > 0 else 0
            self._desk.crowded = asked <= 0 or taken >= asked
            if taken < asked or asked <= 0:
                await self._rest()

    async def _take(self, hosts: int) -> int:
        async def claim(db: asyncpg.Connection) -> list[Lease]:
            return await self._desk.frontier.claim(db, hosts)

        try:
            leases = await self._line.run(claim)
        except Unavailable as error:
            log.warning("database away, waiting", error=str(error))
            return 0
        for lease in leases:
            if lease.entries:
                self._leases[lease.host_id] = lease
                self._lanes[lease.host_id] = asyncio.create_task(self._run_lane(lease))
            else:
                self._desk.flusher.release(Release(lease, lease.state, 0.0))
        return len(leases)

    async def _run_lane(self, lease: Lease) -> None:
        try:
            await work(lease, self._desk)
        except Exception:
            log.exception("lane broke", host=lease.host)
        finally:
            del self._lanes[lease.host_id]
            del self._leases[lease.host_id]
            self._wake.set()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(IDLE_S * random.uniform(0.8, 1.2)):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _drain(self) -> None:
        if self._lanes:
            await asyncio.wait(self._lanes.values(), timeout=self._desk.options.drain_s)
        for lane in list(self._lanes.values()):
            lane.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)
        await self._desk.budget.settle()

    async def _beat(self) -> None:
        """Say that we live and how we do; notice when whoever started us is gone."""
        while True:
            figures = figures_of(self._desk, lanes=len(self._lanes))

            async def beat(db: asyncpg.Connection, figures: dict[str, object] = figures) -> None:
                await self._desk.frontier.beat(db, figures)

            with suppress(Unavailable):
                await self._side_line.run(beat)
            if self._parent_pid is not None and os.getppid() != self._parent_pid:
                log.warning("supervisor is gone, finishing")
                self.stop()
            await asyncio.sleep(BEAT_S)

    async def _refresh(self) -> None:
        """Learn from the database what other workers found to be endless."""
        while True:

            async def read(db: asyncpg.Connection) -> set[str]:
                return await self._desk.frontier.barren_templates(db)

            with suppress(Unavailable):
                self._desk.watch.barren |= await self._side_line.run(read)
            await asyncio.sleep(REFRESH_S)

    async def _compare(self) -> None:
        """Look for near-duplicates whenever the lanes leave time for it."""
        while True:
            compared = Compared(0, 0)
            if self._desk.in_flight < BUSY_LANES:
                with suppress(Unavailable):
                    compared = await self._side_line.run(self._compare_some)
            await asyncio.sleep(0 if compared.signed else COMPARE_S)

    async def _compare_some(self, db: asyncpg.Connection) -> Compared:
        return await compare(db, self._documents, self._desk.frontier.slot)

    async def _leave(self) -> None:
        async def leave(db: asyncpg.Connection) -> None:
            await self._desk.frontier.leave(db)

        try:
            await self._line.run(leave, patience_s=5)
        except Unavailable:
            log.warning("could not say goodbye; leases run out by themselves")
