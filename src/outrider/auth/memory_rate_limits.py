"""Windows in the memory of one process, and the store that falls back to them (AUT-16)."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable

import asyncpg

from outrider.auth.metrics import AuthMetrics
from outrider.auth.options import WINDOW_S
from outrider.auth.rate_limits import RateLimitStore, WindowState
from outrider.errors import Misconfigured, Unavailable
from outrider.logs import get_logger

log = get_logger()

MOST_CALLERS = 10_000  # the caller that was seen longest ago is forgotten first
LONGEST_ANSWER_S = 2.0

_AWAY = (Unavailable, Misconfigured, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)


class MemoryRateLimits:
    """Counts the requests of this process alone."""

    def __init__(self, now: Callable[[], float] = time.monotonic, most_callers: int = MOST_CALLERS) -> None:
        self._now = now
        self._most_callers = most_callers
        self._windows: OrderedDict[str, deque[float]] = OrderedDict()

    async def hit(self, db: asyncpg.Connection, key: str, limit: int) -> WindowState:
        now = self._now()
        window = self._windows.setdefault(key, deque())
        self._windows.move_to_end(key)
        if len(self._windows) > self._most_callers:
            self._windows.popitem(last=False)
        while window and window[0] <= now - WINDOW_S:
            window.popleft()
        is_allowed = len(window) < limit
        if is_allowed:
            window.append(now)
        return WindowState(is_allowed, len(window), window[0] + WINDOW_S - now)

    async def close(self) -> None:
        """Nothing is open."""


class RateLimitsWithFallback:
    """Asks a shared store, and counts in this process while the store does not answer."""

    def __init__(self, shared: RateLimitStore, metrics: AuthMetrics) -> None:
        self._shared = shared
        self._alone = MemoryRateLimits()
        self._metrics = metrics
        self._is_alone = False

    async def hit(self, db: asyncpg.Connection, key: str, limit: int) -> WindowState:
        try:
            async with asyncio.timeout(LONGEST_ANSWER_S):
                state = await self._shared.hit(db, key, limit)
        except _AWAY as error:
            if not self._is_alone:
                log.warning("rate limits hold for each process alone", error=str(error) or "timed out")
            self._is_alone = True
            self._metrics.count_fallback()
            return await self._alone.hit(db, key, limit)
        self._is_alone = False
        return state

    async def close(self) -> None:
        await self._shared.close()
