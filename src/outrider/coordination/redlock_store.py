"""Locks on several independent Redis servers: a lock is held by who has it on most of them (Redlock)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from outrider.coordination.redis_store import RedisLockStore
from outrider.coordination.retries import REDLOCK
from outrider.coordination.store import Grant
from outrider.coordination.votes import Votes
from outrider.errors import Misconfigured, Unavailable
from outrider.redis.options import RedisOptions

TIMEOUT_S = 0.5  # for one answer: a slow server must not use up the lifetime of the lock


class RedlockStore:
    """Asks all servers at once. A server that does not answer in time counts as one that said no."""

    lock_retries = REDLOCK
    candidate_retries = REDLOCK

    def __init__(self, servers: Sequence[RedisOptions], *, timeout_s: float = TIMEOUT_S) -> None:
        self._servers = [RedisLockStore(options, timeout_s=timeout_s) for options in servers]

    async def try_acquire(self, name: str, token: str, ttl_s: float) -> Grant | None:
        votes = await self._ask(lambda server: _is_granted(server, name, token, ttl_s))
        try:
            if votes.passed:
                return Grant()
        except Unavailable:
            await self._ask(lambda server: server.release(name, token))
            raise
        await self._ask(lambda server: server.release(name, token))
        return None

    async def extend(self, name: str, token: str, ttl_s: float) -> bool:
        """Also sets the lock on servers that lost it, or each restart would bring it nearer to its end."""
        votes = await self._ask(lambda server: server.extend(name, token, ttl_s))
        if not votes.passed:
            return False
        without = [server for server, vote in zip(self._servers, votes.answers, strict=True) if vote is False]
        await _ask(without, lambda server: _is_granted(server, name, token, ttl_s))
        return True

    async def release(self, name: str, token: str) -> bool:
        """Release it everywhere, also where the acquisition seemed to fail: the answer may have got lost."""
        votes = await self._ask(lambda server: server.release(name, token))
        return any(answer is True for answer in votes.answers)

    async def close(self) -> None:
        for server in self._servers:
            await server.close()

    async def _ask(self, question: Callable[[RedisLockStore], Awaitable[bool]]) -> Votes:
        return await _ask(self._servers, question)


async def _ask(
    servers: Sequence[RedisLockStore], question: Callable[[RedisLockStore], Awaitable[bool]]
) -> Votes:
    async def answer_of(server: RedisLockStore) -> bool | Exception:
        try:
            return await question(server)
        except (Unavailable, Misconfigured) as error:
            return error

    return Votes(await asyncio.gather(*map(answer_of, servers)))


async def _is_granted(server: RedisLockStore, name: str, token: str, ttl_s: float) -> bool:
    return await server.try_acquire(name, token, ttl_s) is not None
