"""Locks in a table of PostgreSQL, which expire by the time of the database."""

from outrider.coordination.bounded_query import run_bounded
from outrider.coordination.retries import ONCE, TEN_TIMES
from outrider.coordination.store import Grant
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

_SQL = Queries.load("outrider.coordination")


class PostgresLockStore:
    """Needs no session: each call is one statement. The caller closes the connection."""

    lock_retries = TEN_TIMES
    candidate_retries = ONCE

    def __init__(self, connection: ReconnectingConnection) -> None:
        self._connection = connection

    async def try_acquire(self, name: str, token: str, ttl_s: float) -> Grant | None:
        fence = await run_bounded(
            self._connection, lambda db: db.fetchval(_SQL.acquire_lock, name, token, ttl_s)
        )
        return None if fence is None else Grant(fence)

    async def extend(self, name: str, token: str, ttl_s: float) -> bool:
        extended = await run_bounded(
            self._connection, lambda db: db.fetchval(_SQL.extend_lock, name, token, ttl_s)
        )
        return extended is not None

    async def release(self, name: str, token: str) -> bool:
        released = await run_bounded(self._connection, lambda db: db.fetchval(_SQL.release_lock, name, token))
        return released is not None

    async def close(self) -> None:
        """The connection belongs to the caller."""
