"""Waiting for a database that may not answer: the wait is reported, and an interrupt ends it."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable

T = TypeVar("T")

SILENT_S = 3.0  # a shorter wait is not reported
LAST_CHANCE_S = 1.0
CLOSE_S = 0.5
NO_ANSWER = "the database did not answer in time; nothing written is lost, and the same command resumes"


class CancellableQuery:
    """Runs queries on one connection and gives up on an interrupt or a timeout."""

    def __init__(self, connection: ReconnectingConnection, silent: Callable[[], None]) -> None:
        self._connection = connection
        self._silent = silent
        self._is_told = False

    async def wait(
        self,
        asked: Coroutine[Any, Any, T],
        until: asyncio.Event,
        *,
        within_s: float | None = None,
        is_quick: bool = True,
    ) -> T:
        """The answer; Unavailable when `until` or the timeout comes first and LAST_CHANCE_S passes.

        A slow answer is reported only for a query that should be quick.
        """
        answer = asyncio.create_task(asked)
        patience = asyncio.create_task(until.wait())
        try:
            await _first_of(answer, patience, SILENT_S)
            if not answer.done() and not patience.done():
                if is_quick and not self._is_told:
                    self._is_told = True
                    self._silent()
                await _first_of(answer, patience, None if within_s is None else within_s - SILENT_S)
            await asyncio.wait([answer], timeout=LAST_CHANCE_S)
            if answer.done():
                found = answer.result()
                self._is_told = False
                return found
        finally:
            patience.cancel()
            if not answer.done():
                await self._cancel(answer)
        raise Unavailable(NO_ANSWER)

    async def _cancel(self, answer: asyncio.Task[Any]) -> None:
        """Cancel until the task ends: a cancelled transaction first waits for its rollback."""
        while not answer.done():
            answer.cancel()
            await asyncio.wait([answer], timeout=0.1)
        await asyncio.gather(answer, return_exceptions=True)
        await self.close_connection()

    async def close_connection(self) -> None:
        """Close the connection, even when the server does not answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._connection.close()


async def _first_of(answer: asyncio.Task[Any], patience: asyncio.Task[Any], timeout_s: float | None) -> None:
    await asyncio.wait([answer, patience], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
