"""What a server does beside its workers: it registers the watch and frees the hosts of dead ones."""

import asyncio
import time

import asyncpg

from outrider.crawl.processes import end_process
from outrider.crawl.seeds import StartedCrawl
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger
from outrider.settings import Settings
from outrider.workers.housekeeping import Housekeeping
from outrider.workers.session import RENEW_S
from outrider.workers.supervisor import Supervisor
from outrider.workers.watch_goal import EVERYTHING, WatchGoal

log = get_logger()

LOOK_S = 1.0
LAST_S = 3.0  # longest wait for the database at the end
_BEGUN = StartedCrawl(EVERYTHING, 0, ())


class Watching:
    """Keeps the watch of a server registered until it is cancelled. A database that is away is waited for."""

    def __init__(self, settings: Settings, dsn: str, supervisor: Supervisor) -> None:
        self._connection = ReconnectingConnection(
            dsn, application_name="outrider serve", through_pooler=settings.database.through_pooler
        )
        self._frontier = FrontierStore(settings.frontier)
        self._goal = WatchGoal(idle=True)
        self._supervisor = supervisor
        self._housekeeping = Housekeeping(self._frontier, time.monotonic())
        self._renew_at = 0.0
        self._has_begun = False

    async def run(self) -> None:
        """Make one pass a second."""
        while True:
            try:
                await self._connection.run(self._pass)
                if not self._has_begun:
                    await self._goal.prepare(self._connection, self._frontier, _BEGUN)
                    self._has_begun = True
            except Unavailable as error:
                log.warning("database away", error=str(error))
            await asyncio.sleep(LOOK_S)

    async def end(self) -> None:
        """After the workers have ended: free the hosts of killed ones, and end the registration."""
        try:
            async with asyncio.timeout(LAST_S):
                await self._connection.run(self._end)
        except (Unavailable, TimeoutError):
            log.warning("could not end the watch in the database; it ends by itself within a minute")
        finally:
            await self._connection.close()

    async def _pass(self, db: asyncpg.Connection) -> None:
        await self._supervisor.recover(db)
        if not self._has_begun:
            await self._goal.begin(db, self._frontier)
            await self._frontier.run_maintenance(db)
        elif time.monotonic() >= self._renew_at:
            await self._goal.renew(db, self._frontier, _BEGUN)
            self._renew_at = time.monotonic() + RENEW_S
        await self._housekeeping.run_if_due(db, time.monotonic())

    async def _end(self, db: asyncpg.Connection) -> None:
        await self._supervisor.recover(db)
        await end_process(db, self._goal.process)
