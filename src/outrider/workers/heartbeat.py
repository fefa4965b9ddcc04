"""What a worker tells the others every second, and what it hears of them."""

import time

from outrider.crawl.desk import Desk
from outrider.crawl.limits import dues
from outrider.db.line import Line
from outrider.frontier.stats import StatsStore
from outrider.logs import get_logger
from outrider.workers.figures import figures_of
from outrider.workers.lanes import Lanes
from outrider.workers.share import Share

log = get_logger()

SILENT_S = 5.0  # who has not been heard of for so long takes nothing


class Heartbeat:
    """Says that we live, how we do and what we took, and learns our share."""

    def __init__(self, desk: Desk, line: Line, lanes: Lanes, share: Share) -> None:
        self._desk = desk
        self._line = line
        self._lanes = lanes
        self._share = share
        self._stats = StatsStore()

    async def beat(self) -> None:
        """Once. Unavailable when the database is away."""
        figures, asked_at = figures_of(self._desk, hosts=self._lanes.hosts), time.monotonic()
        if await self._line.run(lambda db: self._desk.frontier.beat(db, figures, asked_at)):
            await self._hold_on()
        await dues.share(self._desk.intake, self._line, self._desk.options.submissions_per_s)
        await self._look_at_others()

    async def _hold_on(self) -> None:
        """The database's clock jumped: leases that end by it are renewed before somebody takes them."""
        leases = self._lanes.leases()
        log.warning("the database's clock jumped", hosts=len(leases))
        await self._line.run(lambda db: self._desk.frontier.renew(db, leases))

    async def _look_at_others(self) -> None:
        """Learn how many hosts each of those holds who could take more."""
        at_work = await self._line.run(lambda db: self._stats.workers(db, SILENT_S))
        others = [
            int(each.stats["hosts"])
            for each in at_work
            if each.worker_id != self._desk.frontier.worker_id and not each.stats.get("stopping", True)
        ]
        self._share.learn(self._lanes.hosts, others, time.monotonic())
