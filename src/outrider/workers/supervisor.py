"""Keeps worker processes alive, and frees the hosts of dead ones."""

import asyncpg

from outrider.settings import Settings
from outrider.settings.check_workers import check_worker_settings
from outrider.supervision.child_group import ChildGroup
from outrider.supervision.fork_server import fork_server
from outrider.workers.prepare import PRELOAD
from outrider.workers.recovery import recover_dead_workers

MAIN = "outrider.workers.process:main"  # by name: a supervisor does not import the code of workers


class Supervisor(ChildGroup):
    """The worker processes of one session or server."""

    def __init__(self, settings: Settings, dsn: str, count: int, *, gives_up: bool = True) -> None:
        check_worker_settings(settings)
        super().__init__(
            "worker", count, MAIN, (settings, dsn), gives_up=gives_up, context=fork_server(PRELOAD)
        )
        self._settings = settings

    async def recover(self, db: asyncpg.Connection) -> int:
        """Free the hosts of this machine's dead workers; returns how many workers."""
        freed = await recover_dead_workers(db, self._settings.frontier, self._settings.fetch.timeout_s)
        return freed.workers
