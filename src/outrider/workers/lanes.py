"""The hosts in a worker's hands, with the task that works on each."""

import asyncio
from collections.abc import Callable

from outrider.crawl.lane import work
from outrider.crawl.worker_context import WorkerContext
from outrider.frontier.lease import Lease
from outrider.logs import get_logger

log = get_logger()


class Lanes:
    """One task for each lease, until it ends by itself or is told to."""

    def __init__(self, context: WorkerContext, ended: Callable[[], None]) -> None:
        """`ended` is called after each of them."""
        self._context = context
        self._ended = ended
        self._leases: dict[asyncio.Task[None], Lease] = {}

    def __len__(self) -> int:
        return len(self._leases)

    @property
    def hosts(self) -> int:
        """How many nobody else can have: lanes end together, so that at any one moment there may be none."""
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
        """Wait until all have ended; those that take longer are broken off."""
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
