"""One worker: claims hosts, runs a lane for each, writes the results."""

import asyncio
import random
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice, repeat

import asyncpg

from outrider.crawl.release_listener import ReleaseListener
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.frontier.lease import Lease, Release
from outrider.frontier.leases import COME_BACK_S
from outrider.logs import get_logger
from outrider.periodic_tasks import PeriodicTask, run_periodically
from outrider.supervision.child import SupervisorLink
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.claim_policy import ClaimPolicy
from outrider.workers.heartbeat import Heartbeat
from outrider.workers.lanes import Lanes
from outrider.workers.near_duplicate_search import compare_when_idle
from outrider.workers.share import FairShare
from outrider.workers.trap_refresh import refresh_traps

log = get_logger()

BEAT_S = 1.0
FIRST_BEATS_S = (0.25, 0.25, 0.5)  # workers that start together soon learn their share


class Worker(ReleaseListener):
    """The loops of one worker process: claims, heartbeats, flushes and periodic tasks."""

    def __init__(
        self,
        context: WorkerContext,
        connection: ReconnectingConnection,
        side_connection: ReconnectingConnection,
        supervisor: SupervisorLink | None = None,
        duties: Sequence[PeriodicTask] = (),
    ) -> None:
        self._context = context
        self._connection = connection  # for claims
        self._side_connection = side_connection  # for heartbeats and near-duplicates, which may wait
        self._supervisor = supervisor
        self._duties = list(duties)
        self._lanes = Lanes(context, self._lane_ended)
        # Hosts that this worker has just released and that have due URLs; reserved hosts first.
        self._own: dict[int, None] = {}
        self._share = FairShare()
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        context.flusher.release_listener = self

    async def run(self) -> None:
        """Work until stopped, then finish the requests under way, write the results and deregister."""
        flushing = asyncio.create_task(self._context.flusher.run())
        # A worker that cannot write must not fetch: the process ends, and its hosts are freed.
        flushing.add_done_callback(self._stop_at_once)
        loops = (
            self._beat(),
            refresh_traps(self._context, self._side_connection),
            compare_when_idle(self._context, self._side_connection),
        )
        background = [asyncio.create_task(loop) for loop in loops]
        # Each task runs alone, so that a slow task does not delay the others.
        background += [asyncio.create_task(run_periodically([duty])) for duty in self._duties]
        if (sinks := self._context.flusher.sinks) is not None:
            background.append(asyncio.create_task(sinks.run()))
        run_log = self._context.run_log.writer
        writing_log = None if run_log is None else asyncio.create_task(run_log.run())
        try:
            await self._claim()
            await self._lanes.drain(self._context.options.drain_s)
            await self._context.budget.settle()
        finally:
            self._context.flusher.stop()
            await asyncio.wait([flushing])
            if sinks is not None:
                await sinks.drain()
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            if run_log is not None and writing_log is not None:
                writing_log.cancel()
                await asyncio.gather(writing_log, return_exceptions=True)
                await run_log.drain()
        await flushing
        await self._leave()

    def stop(self) -> None:
        """Claim no more hosts; each lane ends after its current request."""
        self._context.stopping = True
        self._stop.set()
        self._wake.set()

    def held(self) -> list[int]:
        safe_until = time.monotonic() + 10
        return [lease.host_id for lease in self._lanes.leases() if lease.expires > safe_until]

    def hosts_to_reserve(self, giving: int) -> float:
        """As many as this worker's share allows; none while other hosts wait for lanes."""
        if self._context.crowded or self._stop.is_set():
            return 0
        return self._share.left(self._lanes.hosts - giving, time.monotonic())

    def released(self, due_in_s: Mapping[int, float], woken: Collection[int]) -> None:
        """Claim the released hosts again as soon as they are due, if that is soon."""
        loop = asyncio.get_running_loop()
        for host_id, seconds in due_in_s.items():
            if seconds <= 0:
                self._mark_due(host_id)
            elif seconds < COME_BACK_S:
                loop.call_later(seconds, self._mark_due, host_id)
        if not {lease.host_id for lease in self._lanes.leases()}.issuperset(woken):
            self._wake.set()

    def _mark_due(self, host_id: int) -> None:
        self._own[host_id] = None
        self._wake.set()

    async def _claim(self) -> None:
        """Claim hosts and open a lane for each, until stopped."""
        context, claim_policy = self._context, ClaimPolicy(self._context.frontier.options.hosts_per_claim)
        while not self._stop.is_set():
            self._wake.clear()
            now = time.monotonic()
            free = 0 if context.flusher.is_behind else context.options.lanes - len(self._lanes)
            room = int(min(free, self._share.left(self._lanes.hosts, now)))
            size = claim_policy.next_claim(room, len(self._own), is_crowded=context.crowded, now=now)
            own = frozenset(islice(self._own, size.own))
            self._own.clear()
            taken = await self._take(size.others, own) if size.others or own else 0
            context.crowded = free <= 0 or size.is_filled_by(taken)
            rest_s = claim_policy.rest_s(size, taken, will_grow=self._share.will_grow, now=now)
            if rest_s:
                await self._rest(rest_s)

    async def _take(self, hosts: int, own: Collection[int]) -> int:
        """Claim hosts and open their lanes; returns how many other hosts than `own` were claimed."""

        async def claim(db: asyncpg.Connection) -> list[Lease]:
            return await self._context.frontier.claim(db, hosts, own)

        began = time.monotonic()
        try:
            leases = await self._connection.run(claim, is_one_statement=True)
        except Unavailable as error:
            log.warning("database away, waiting", error=str(error))
            return 0
        self._context.figures["claims"] += 1
        self._context.figures["claim_us"] += round((time.monotonic() - began) * 1e6)
        for lease in leases:
            if lease.entries:
                self._lanes.open(lease)
            else:
                self._context.flusher.release(Release(lease, lease.state, 0.0))
        return sum(lease.host_id not in own for lease in leases)

    def _lane_ended(self) -> None:
        """Wake the claim loop if other hosts wait: the lane's own host is free only after the flush."""
        if self._context.crowded:
            self._wake.set()

    async def _rest(self, longest_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(longest_s * random.uniform(0.8, 1.2)):
                await self._wake.wait()

    def _stop_at_once(self, flushing: asyncio.Task[None]) -> None:
        self.stop()
        self._lanes.cancel()

    async def _beat(self) -> None:
        """Send heartbeats; stop the worker when its supervisor is gone."""
        heartbeat = Heartbeat(self._context, self._side_connection, self._lanes, self._share)
        for rest_s in chain(FIRST_BEATS_S, repeat(BEAT_S)):
            with suppress(Unavailable):
                await heartbeat.beat()
            if self._supervisor is not None and self._supervisor.is_gone:
                log.warning("supervisor is gone, finishing")
                self.stop()
            await asyncio.sleep(rest_s)

    async def _leave(self) -> None:
        try:
            worker_id = self._context.frontier.worker_id
            await self._connection.run(lambda db: WorkerRegistry().record_stop(db, worker_id), patience_s=5)
        except Unavailable:
            log.warning("could not say goodbye; leases run out by themselves")
