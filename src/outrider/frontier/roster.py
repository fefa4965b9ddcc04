"""The workers as the database knows them: a number each, and signs of life."""

import time
from collections.abc import Mapping

import asyncpg

from outrider.frontier.part import Part


class Roster(Part):
    """A worker comes, lives and leaves."""

    async def enter(self, db: asyncpg.Connection, machine: str, pid: int) -> int:
        """Enrol a worker; the number it gets owns its leases and its counter slot."""
        worker_id: int = await db.fetchval(self._sql.enter, machine, pid)
        return worker_id

    async def beat(self, db: asyncpg.Connection, figures: Mapping[str, object], asked_at: float) -> bool:
        """Say that we live; True when the database's clock has jumped, and every lease should be renewed.

        `asked_at` lies before the transaction, whose beginning is the time it tells.
        """
        shown = await db.fetchval(self._sql.beat, self.worker_id, figures)
        return shown is not None and self.reckoning.observe(shown, asked_at, time.monotonic())

    async def leave(self, db: asyncpg.Connection) -> None:
        await db.execute(self._sql.leave, self.worker_id)
