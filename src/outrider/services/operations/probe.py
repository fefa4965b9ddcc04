"""Asks a part whether it works, within a bounded time, however long the part takes."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Probe(Generic[T]):
    """One question to one part. A question that hangs is not asked a second time until it ends."""

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self._ask = ask
        self._asking: asyncio.Task[tuple[T, float]] | None = None

    async def answer(self, timeout_s: float) -> tuple[T, float]:
        """The answer and the milliseconds it took; raises TimeoutError, or the error of the part."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._timed())
            # An error that comes after the timeout is not for anyone.
            self._asking.add_done_callback(lambda task: task.cancelled() or task.exception())
        done, _ = await asyncio.wait({self._asking}, timeout=timeout_s)
        if not done:
            raise TimeoutError
        return self._asking.result()

    async def _timed(self) -> tuple[T, float]:
        began = time.monotonic()
        answer = await self._ask()
        return answer, round((time.monotonic() - began) * 1000, 2)
