"""One connection kept for the hot path, opened again whenever it breaks.

A pool resets a connection each time it is returned, which costs a round trip. Each loop of the frontier
keeps its own connection instead.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TypeVar

import asyncpg

from outrider.db.pool import explain, know_types
from outrider.db.retry import is_transient
from outrider.errors import Unavailable
from outrider.logs import get_logger

log = get_logger()

T = TypeVar("T")

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
WARN_WAIT_S = 0.8  # shorter outages are not logged
CONNECT_TIMEOUT_S = 10.0

# The frontier's statements must use indexes. Generic plans made on an empty database would use sequential
# scans until the next ANALYZE, so these settings rule them out.
_PLAN_SETTINGS = {
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_bitmapscan": "off",
    "statement_timeout": "60000",
    "idle_in_transaction_session_timeout": "120000",
}


def _may_pass(error: BaseException) -> bool:
    """Whether a new connection may help: also after a protocol error of the driver."""
    if isinstance(error, asyncpg.DataError):
        return False
    return is_transient(error) or isinstance(error, asyncpg.InternalClientError | asyncpg.InterfaceError)


class ReconnectingConnection:
    """A connection that is opened again after it breaks. It runs one piece of work at a time."""

    def __init__(self, dsn: str, *, application_name: str, through_pooler: bool = False) -> None:
        self._dsn = dsn
        # PgBouncer in transaction mode rejects session settings and changes backends between transactions.
        self._settings = {"application_name": application_name} | ({} if through_pooler else _PLAN_SETTINGS)
        self._statements = 0 if through_pooler else 100
        self._connection: asyncpg.Connection | None = None
        self._runs = 0  # on this connection
        self._turn = asyncio.Lock()

    async def run(
        self,
        work: Callable[[asyncpg.Connection], Awaitable[T]],
        *,
        patience_s: float = 0.0,
        is_one_statement: bool = False,
    ) -> T:
        """Run `work` in one transaction; while the database is down, try again for `patience_s`.

        A connection can break between the commit and its acknowledgement, so `work`
        must be safe to repeat. Errors that a retry cannot help are raised. A single statement is its
        own transaction, which saves two round trips.
        """
        give_up_at = asyncio.get_running_loop().time() + patience_s
        wait_s = FIRST_WAIT_S
        async with self._turn:
            while True:
                try:
                    connection = await self._open()
                    await self._plan_anew_now_and_then(connection)
                    async with nullcontext() if is_one_statement else connection.transaction():
                        return await work(connection)
                except asyncio.CancelledError:
                    self._drop()  # a transaction that was only half begun would swallow the next one
                    raise
                except Exception as error:
                    if not _may_pass(error):
                        raise
                    self._drop_if_broken(error)
                    sentence = str(explain(error, self._dsn))
                    if asyncio.get_running_loop().time() + wait_s > give_up_at:
                        raise Unavailable(sentence) from error
                    if wait_s == WARN_WAIT_S:
                        log.warning("database in trouble, trying again", error=sentence)
                await asyncio.sleep(wait_s)
                wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def close(self) -> None:
        async with self._turn:
            if self._connection is not None:
                connection, self._connection = self._connection, None
                try:
                    await connection.close(timeout=2)
                except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                    connection.terminate()

    async def _open(self) -> asyncpg.Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(
                self._dsn,
                timeout=CONNECT_TIMEOUT_S,
                server_settings=self._settings,
                statement_cache_size=self._statements,
            )
            await know_types(self._connection)
            self._runs = 0
        return self._connection

    async def _plan_anew_now_and_then(self, connection: asyncpg.Connection) -> None:
        """Discard plans at the 1st, 2nd, 4th, 8th … run: plans made for small tables scan whole tables."""
        self._runs += 1
        if self._statements and self._runs & (self._runs - 1) == 0:
            await connection.execute("DISCARD PLANS")

    def _drop_if_broken(self, error: BaseException) -> None:
        """Close the connection, except after a deadlock, which leaves it usable."""
        if isinstance(error, asyncpg.DeadlockDetectedError | asyncpg.SerializationError):
            return
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
