"""The leases of a worker, with the task that works on each."""

import asyncio
from collections.abc import Callable

from outrider.crawl.lane import work
from outrider.crawl.worker_context import WorkerContext
from outrider.frontier.lease import Lease
from outrider.logs import get_logger

log = get_logger()


class Lanes:
    """One task for each lease, until the task ends or is cancelled."""

    def __init__(self, context: WorkerContext, ended: Callable[[], None]) -> None:
        """`ended` is called after each lane."""
        self._context = context
        self._ended = ended
        self._leases: dict[asyncio.Task[None], Lease] = {}

    def __len__(self) -> int:
        return len(self._leases)

    @property
    def hosts(self) -> int:
        """Hosts that this worker holds, including those of ended lanes that are not released yet."""
        return len({lease.host_id for lease in self._leases.values()} | self._context.flusher.unreleased)

    def leases(self) -> list[Lease]:
        return list(self._leases.values())

    def open(self, lease: Lease) -> None:
        lane = asyncio.create_task(self._run(lease))
        self._leases[lane] = lease
        lane.add_done_callback(self._end)

    def cancel(self) -> None:
        for lane in self._leases:
            lane.cancel()

    async def drain(self, within_s: float) -> None:
        """Wait until all lanes have ended; cancel those that take longer."""
        if self._leases:
            await asyncio.wait(self._leases, timeout=within_s)
        self.cancel()
        await asyncio.gather(*self._leases, return_exceptions=True)

    async def _run(self, lease: Lease) -> None:
        try:
            await work(lease, self._context)
        except Exception:
            log.exception("lane broke", host=lease.host)

    def _end(self, lane: asyncio.Task[None]) -> None:
        del self._leases[lane]
        self._ended()
