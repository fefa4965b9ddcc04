"""Windows in PostgreSQL: one row for each caller, in a table that is not logged."""

import asyncpg

from outrider.auth.options import WINDOW_S
from outrider.auth.rate_limits import WindowState
from outrider.db.queries import Queries

_SQL = Queries.load("outrider.auth")


class PostgresRateLimits:
    """A row holds the times of the allowed requests of the last minute, at most as many as the limit."""

    async def hit(self, db: asyncpg.Connection, key: str, limit: int) -> WindowState:
        row = await db.fetchrow(_SQL.hit_window, key, limit, WINDOW_S)
        is_allowed = row is not None
        if row is None:
            row = await db.fetchrow(_SQL.read_window, key, WINDOW_S)
        if row is None:  # pruned meanwhile
            return WindowState(is_allowed, 0, 0.0)
        return WindowState(is_allowed, row["hits"], row["reset_s"] or 0.0)

    async def close(self) -> None:
        """Nothing is open."""
