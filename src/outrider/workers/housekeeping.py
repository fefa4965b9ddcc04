"""Housekeeping, once an hour: partitions for the months to come, and a search for lost hosts."""

import asyncpg

from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger

log = get_logger()

EVERY_S = 3600.0


class Housekeeping:
    """Runs a pass when it is due. All times are monotonic."""

    def __init__(self, frontier: FrontierStore, now: float) -> None:
        self._frontier = frontier
        self._due_at = now + EVERY_S

    async def run_if_due(self, db: asyncpg.Connection, now: float) -> None:
        """One pass if the last one is an hour ago."""
        if now >= self._due_at:
            self._due_at = now + EVERY_S
            if lost := await self._frontier.run_maintenance(db):
                log.error("lost hosts found and woken", hosts=lost)
