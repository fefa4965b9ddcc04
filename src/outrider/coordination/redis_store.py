"""Locks on one Redis server, each a key that expires."""

import asyncio
from importlib.resources import files

from outrider.coordination.retries import ONCE, TEN_TIMES
from outrider.coordination.store import Grant
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions

PREFIX = "outrider:lock:"
TIMEOUT_S = 1.0  # for one answer
TRIES = 2  # a connection to a server that was restarted is found broken by the first

_SCRIPTS = files(__package__).joinpath("lua")
_ACQUIRE, _EXTEND, _RELEASE = (
    _SCRIPTS.joinpath(f"{name}.lua").read_text(encoding="utf-8") for name in ("acquire", "extend", "release")
)


class RedisLockStore:
    """Compares and changes in one script, so that no other client comes in between."""

    lock_retries = TEN_TIMES
    candidate_retries = ONCE

    def __init__(self, options: RedisOptions, *, timeout_s: float = TIMEOUT_S) -> None:
        self._address = options.address
        self._client = connect(options, connect_s=timeout_s, answer_s=timeout_s, tries=TRIES)
        self._longest_s = 2 * timeout_s  # all tries together

    async def try_acquire(self, name: str, token: str, ttl_s: float) -> Grant | None:
        return Grant() if await self._run(_ACQUIRE, name, token, _milliseconds(ttl_s)) else None

    async def extend(self, name: str, token: str, ttl_s: float) -> bool:
        return await self._run(_EXTEND, name, token, _milliseconds(ttl_s))

    async def release(self, name: str, token: str) -> bool:
        return await self._run(_RELEASE, name, token)

    async def close(self) -> None:
        await self._client.aclose()

    async def _run(self, script: str, name: str, *arguments: str) -> bool:
        with asking(self._address):
            async with asyncio.timeout(self._longest_s):
                changed: int = await self._client.eval(script, 1, PREFIX + name, *arguments)
        return changed == 1


def _milliseconds(ttl_s: float) -> str:
    return str(max(1, int(ttl_s * 1000)))
