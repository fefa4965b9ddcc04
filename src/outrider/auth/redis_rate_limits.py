"""Windows in Redis: a scored set for each caller, changed by one script (AUT-14)."""

import asyncio
from importlib.resources import files
from secrets import token_hex

import asyncpg

from outrider.auth.options import WINDOW_S
from outrider.auth.rate_limits import WindowState
from outrider.redis.connect import MOST_CONNECTIONS, asking, connect
from outrider.redis.options import RedisOptions

PREFIX = "outrider:rate:"
ANSWER_S = 0.5
TRIES = 2

_HIT = files(__package__).joinpath("lua", "hit.lua").read_text(encoding="utf-8")


class RedisRateLimits:
    """Uses the time of the Redis server, so that all processes agree."""

    def __init__(self, options: RedisOptions) -> None:
        self._address = options.address
        self._client = connect(options, connect_s=ANSWER_S, answer_s=ANSWER_S, tries=TRIES)
        self._connections = asyncio.Semaphore(MOST_CONNECTIONS)  # the client refuses to open more

    async def hit(self, db: asyncpg.Connection, key: str, limit: int) -> WindowState:
        async with self._connections:
            with asking(self._address):
                allowed, hits, reset_us = await self._client.eval(
                    _HIT, 1, PREFIX + key, str(limit), str(round(WINDOW_S * 1_000_000)), token_hex(8)
                )
        return WindowState(allowed == 1, hits, reset_us / 1_000_000)

    async def close(self) -> None:
        await self._client.aclose()
