"""The one connection of a simulation: every transaction on it takes place at the virtual time."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

from outrider.db.pool import know_types
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.simulate.virtual_time import VirtualClock, VirtualLoop

T = TypeVar("T")

MOST_STATEMENTS = 300  # of all workers together; a real worker has a connection for each of its loops


class VirtualConnection(ReconnectingConnection):
    """One connection for all workers: queries run in order, so that every run sees the same order.

    No other process reads the database, so all work of one virtual moment is one transaction, which is
    committed when the next moment begins. A failure rolls the moment back and ends the simulation.
    """

    def __init__(self, dsn: str, clock: VirtualClock, loop: VirtualLoop) -> None:
        super().__init__(dsn, application_name="outrider simulate")
        self._settings |= {"search_path": "public, pg_catalog"}  # `now()` is virtual: see sql/clock.sql
        self._clock = clock
        self._loop = loop
        self._moment_s: float | None = None  # the virtual time of the open transaction
        self._fault: Unavailable | None = None

    async def run(
        self,
        work: Callable[[asyncpg.Connection], Awaitable[T]],
        *,
        patience_s: float = 0.0,
        is_one_statement: bool = False,
    ) -> T:
        async with self._turn:
            with self._loop.outside():
                db = await self._open()
                try:
                    await self._plan_anew_now_and_then(db)
                    await self._tell_time(db)
                    return await work(db)
                except BaseException as error:
                    db.terminate()
                    if not isinstance(error, Exception):
                        raise  # an interrupt: there is nothing to save
                    self._fault = Unavailable(f"the simulation broke: {type(error).__name__}: {error}")
                    raise self._fault from error

    async def when_idle(self, act: Callable[[], object]) -> None:
        """Call `act` while no statement runs: a cancelled statement would close the connection."""
        async with self._turn:
            act()

    async def _tell_time(self, db: asyncpg.Connection) -> None:
        if self._moment_s is None:
            # asyncpg must know of a transaction: then work that opens its own is nested in the moment.
            await db.transaction().start()
        if self._moment_s != self._clock.elapsed_s:
            self._moment_s = self._clock.elapsed_s
            await db.execute(f"COMMIT; BEGIN; SET LOCAL outrider.now = '{self._clock.now().isoformat()}'")

    async def _open(self) -> asyncpg.Connection:
        if self._fault is not None:
            raise self._fault
        if self._connection is None:
            # Prepared statements have no lifetime, because minutes of virtual time pass between two uses.
            self._connection = await asyncpg.connect(
                self._dsn,
                server_settings=self._settings,
                statement_cache_size=MOST_STATEMENTS,
                max_cached_statement_lifetime=0,
            )
            await know_types(self._connection)
        return self._connection

    async def begin(self, *works: Callable[[asyncpg.Connection], Awaitable[None]]) -> None:
        """Run `works` at the start of virtual time; each opens the transactions that it needs."""
        with self._loop.outside():
            db = await self._open()
            await db.execute(f"SET outrider.now = '{self._clock.now().isoformat()}'")
            for work in works:
                await work(db)

    async def close(self) -> None:
        with self._loop.outside():
            async with self._turn:
                if self._connection is not None and not self._connection.is_closed():
                    await self._connection.execute("COMMIT")
            await super().close()
