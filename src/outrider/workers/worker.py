"""One worker: claims hosts, runs a lane for each, writes what they learn."""

import asyncio
import os
import random
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import islice

import asyncpg
import structlog

from outrider.crawl.desk import Desk
from outrider.crawl.lane import work
from outrider.crawl.limits import dues
from outrider.db.line import Line
from outrider.documents.likeness import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.frontier.lease import Lease
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import Release
from outrider.watch.duties import Duty, attend
from outrider.workers.figures import figures_of
from outrider.workers.leisure import Leisure
from outrider.workers.share import Share

log = structlog.get_logger(__name__)

IDLE_S = 1.0  # CLM-05: nothing to claim, look again in about this time
BEAT_S = 1.0
SILENT_S = 5.0  # who has not been heard of for so long takes nothing
REFRESH_S = 5.0
COMPARE_S = 2.0
LOOK_S = 0.2


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
        self._stats = StatsStore()
        self._parent_pid = parent_pid
        self._duties = list(duties)
        self._lanes: dict[asyncio.Task[None], Lease] = {}
        self._own: set[int] = set()  # hosts we gave back a moment ago, with more to do
        self._share = Share()
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()

    async def run(self) -> None:
        """Work until told to stop, then finish what is under way, write it and leave."""
        flushing = asyncio.create_task(self._desk.flusher.run())
        # Who cannot write must not fetch: the process ends, and what it held is freed.
        flushing.add_done_callback(self._stop_at_once)
        background = [asyncio.create_task(loop()) for loop in (self._beat, self._refresh, self._compare)]
        # Each by itself: one that takes its time keeps none of the others waiting.
        background += [asyncio.create_task(attend([duty])) for duty in self._duties]
        try:
            await self._claim()
            await self._drain()
        finally:
            self._desk.flusher.stop()
            await asyncio.wait([flushing])
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
        await flushing
        await self._leave()

    def stop(self) -> None:
        """Take no more hosts; lanes end after the request they are in."""
        self._desk.stopping = True
        self._stop.set()
        self._wake.set()

    def held(self) -> list[int]:
        """Hosts whose lease is surely still ours while a flush runs."""
        safe_until = time.monotonic() + 10
        return [lease.host_id for lease in self._lanes.values() if lease.expires > safe_until]

    def released(self, due_in_s: dict[int, float], woken: Collection[int]) -> None:
        """Hosts went back, and others have something to do; those due soon are worth another look then."""
        loop = asyncio.get_running_loop()
        for host_id, seconds in due_in_s.items():
            if seconds <= 0:
                self._come_back(host_id)
            elif seconds < IDLE_S:
                loop.call_later(seconds, self._come_back, host_id)
        if not {lease.host_id for lease in self._lanes.values()}.issuperset(woken):
            self._wake.set()

    def _come_back(self, host_id: int) -> None:
        self._own.add(host_id)
        self._wake.set()

    @property
    def _hosts(self) -> int:
        """How many nobody else can have: lanes end together, so that at any one moment there may be none."""
        return len(self._lanes) + self._desk.flusher.unreleased

    async def _claim(self) -> None:
        """Take our own hosts back at once, and look for others now and then, unless many wait."""
        desk, look_at = self._desk, 0.0
        while not self._stop.is_set():
            self._wake.clear()
            now = time.monotonic()
            free = 0 if desk.flusher.is_behind else desk.options.lanes - len(self._lanes)
            left = int(min(free, self._share.left(self._hosts, now)))
            own = frozenset() if desk.crowded else frozenset(islice(self._own, max(left, 0)))
            self._own.clear()
            others = min(left - len(own), desk.frontier.options.hosts_per_claim)
            asked = _power_of_two(others) if desk.crowded or now >= look_at else 0
            taken = await self._take(asked, own) if asked or own else 0
            desk.crowded = free <= 0 or taken >= asked > 0
            if taken < asked or not asked:
                is_put_off = now < look_at
                look_at = now + LOOK_S if asked else look_at
                await self._rest(LOOK_S if is_put_off or self._share.will_grow else IDLE_S)

    async def _take(self, hosts: int, own: Collection[int]) -> int:
        """Returns how many there were besides our own."""

        async def claim(db: asyncpg.Connection) -> list[Lease]:
            return await self._desk.frontier.claim(db, hosts, own)

        try:
            leases = await self._line.run(claim, is_one_statement=True)
        except Unavailable as error:
            log.warning("database away, waiting", error=str(error))
            return 0
        for lease in leases:
            if lease.entries:
                lane = asyncio.create_task(self._run_lane(lease))
                self._lanes[lane] = lease
                lane.add_done_callback(self._end_lane)
            else:
                self._desk.flusher.release(Release(lease, lease.state, 0.0))
        return sum(lease.host_id not in own for lease in leases)

    async def _run_lane(self, lease: Lease) -> None:
        try:
            await work(lease, self._desk)
        except Exception:
            log.exception("lane broke", host=lease.host)

    def _end_lane(self, lane: asyncio.Task[None]) -> None:
        """Its host is free only when that is written, so this is worth a look only where others wait."""
        del self._lanes[lane]
        if self._desk.crowded:
            self._wake.set()

    async def _rest(self, longest_s: float) -> None:
        try:
            async with asyncio.timeout(longest_s * random.uniform(0.8, 1.2)):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _drain(self) -> None:
        if self._lanes:
            await asyncio.wait(self._lanes, timeout=self._desk.options.drain_s)
        self._cancel_lanes()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        await self._desk.budget.settle()

    def _stop_at_once(self, flushing: asyncio.Task[None]) -> None:
        self.stop()
        self._cancel_lanes()

    def _cancel_lanes(self) -> None:
        for lane in self._lanes:
            lane.cancel()

    async def _beat(self) -> None:
        """Say that we live, how we do and what we took; notice when whoever started us is gone."""
        while True:
            figures = figures_of(self._desk, hosts=self._hosts)

            asked_at = time.monotonic()

            async def beat(
                db: asyncpg.Connection, figures: dict[str, object] = figures, asked_at: float = asked_at
            ) -> bool:
                return await self._desk.frontier.beat(db, figures, asked_at)

            with suppress(Unavailable):
                if await self._side_line.run(beat):
                    await self._hold_on()
                await dues.share(self._desk.intake, self._side_line, self._desk.options.submissions_per_s)
                await self._look_at_others()
            if self._parent_pid is not None and os.getppid() != self._parent_pid:
                log.warning("supervisor is gone, finishing")
                self.stop()
            await asyncio.sleep(BEAT_S)

    async def _look_at_others(self) -> None:
        """Learn how many hosts each of those holds who could take more."""
        at_work = await self._side_line.run(lambda db: self._stats.workers(db, SILENT_S))
        others = [
            int(each.stats["hosts"])
            for each in at_work
            if each.worker_id != self._desk.frontier.worker_id and not each.stats.get("stopping", True)
        ]
        self._share.learn(self._hosts, others, time.monotonic())

    async def _hold_on(self) -> None:
        """The database's clock jumped: leases that end by it are renewed before somebody takes them."""
        leases = list(self._lanes.values())
        log.warning("the database's clock jumped", hosts=len(leases))
        await self._side_line.run(lambda db: self._desk.frontier.renew(db, leases))

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
        leisure = Leisure(time.monotonic(), self._desk.figures["pages"])
        while True:
            await asyncio.sleep(LOOK_S)
            if not leisure.is_now(time.monotonic(), self._desk.figures["pages"]):
                continue
            compared = Compared(0, 0)
            with suppress(Unavailable):
                compared = await self._side_line.run(self._compare_some)
            if not compared.signed:
                leisure.catch_up(time.monotonic())
                await asyncio.sleep(COMPARE_S)

    async def _compare_some(self, db: asyncpg.Connection) -> Compared:
        return await compare(db, self._documents, self._desk.frontier.slot)

    async def _leave(self) -> None:
        async def leave(db: asyncpg.Connection) -> None:
            await self._desk.frontier.leave(db)

        try:
            await self._line.run(leave, patience_s=5)
        except Unavailable:
            log.warning("could not say goodbye; leases run out by themselves")


def _power_of_two(most: int) -> int:
    """As many as a claim hands out of `most`."""
    return 1 << most.bit_length() - 1 if most > 0 else 0
