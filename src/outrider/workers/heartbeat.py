"""The heartbeat of a worker: once a second it reports its figures and reads those of the other workers."""

import time

from outrider.crawl.limits.shared_url_debts import share_url_debts
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.logs import get_logger
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.figures import PageRate, figures_of
from outrider.workers.lanes import Lanes
from outrider.workers.share import FairShare
from outrider.workers.worker_name import worker_name

log = get_logger()

SILENT_S = 5.0  # a worker whose last heartbeat is older takes no hosts


class Heartbeat:
    """Reports that the worker is alive and what it holds, and learns its share of the hosts."""

    def __init__(
        self, context: WorkerContext, connection: ReconnectingConnection, lanes: Lanes, share: FairShare
    ) -> None:
        self._context = context
        self._connection = connection
        self._lanes = lanes
        self._share = share
        self._registry = WorkerRegistry()
        self._rate = PageRate()
        self._name = worker_name(context.options, context.frontier.worker_id)

    async def beat(self) -> None:
        """One heartbeat. Raises Unavailable when the database is away."""
        if await self._report():
            await self._renew_leases()
        await share_url_debts(
            self._context.new_url_limit, self._connection, self._context.options.submissions_per_s
        )
        await self._learn_share()
        await self._context.runs.refresh(self._connection)

    async def _report(self) -> bool:
        """Record the heartbeat; True when the database's clock has jumped since the last one."""
        frontier = self._context.frontier
        # The local time is taken before the transaction, because the database returns its start time.
        asked_at = time.monotonic()
        pages_per_s = self._rate.after(self._context.figures["pages"], asked_at)
        figures = figures_of(self._context, hosts=self._lanes.hosts, name=self._name, pages_per_s=pages_per_s)
        shown = await self._connection.run(
            lambda db: self._registry.record_heartbeat(db, frontier.worker_id, figures)
        )
        return shown is not None and frontier.clock_monitor.observe(shown, asked_at, time.monotonic())

    async def _renew_leases(self) -> None:
        """Renew every lease before another worker claims its host: by the new clock the leases have ended."""
        leases = self._lanes.leases()
        log.warning("the database's clock jumped", hosts=len(leases))
        await self._connection.run(lambda db: self._context.frontier.renew(db, leases))

    async def _learn_share(self) -> None:
        """Read how many hosts each other worker holds, of those that could take more."""
        live = await self._connection.run(lambda db: self._registry.live(db, SILENT_S))
        others = [
            int(each.stats["hosts"])
            for each in live
            if each.worker_id != self._context.frontier.worker_id and not each.stats.get("stopping", True)
        ]
        self._share.learn(self._lanes.hosts, others, time.monotonic())
