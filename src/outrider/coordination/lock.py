"""A lock with a lifetime, whatever keeps it."""

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from outrider.coordination.deadline import valid_until
from outrider.coordination.errors import LockHeld
from outrider.coordination.retries import Retries
from outrider.coordination.store import LockStore
from outrider.errors import OutriderError, Unavailable

TTL_S = 30.0


class HeldLock:
    """A lock that was taken. It is valid until `ends_at`, a moment of `time.monotonic()`."""

    def __init__(
        self, store: LockStore, name: str, token: str, ttl_s: float, ends_at: float, fence: int | None
    ) -> None:
        self._store = store
        self._name = name
        self._token = token
        self._ttl_s = ttl_s
        self.ends_at = ends_at
        self.fence = fence

    def is_valid(self, now: float) -> bool:
        return now < self.ends_at

    async def extend(self) -> bool:
        """Begin the lifetime anew. False: the lock expired, and another process may hold it."""
        asked_at = time.monotonic()
        if not await self._store.extend(self._name, self._token, self._ttl_s):
            return False
        self.ends_at = valid_until(asked_at, self._ttl_s)
        return self.is_valid(time.monotonic())

    async def release(self) -> bool:
        """Free the lock. False: it had expired, or another process holds it, which keeps it."""
        self.ends_at = 0.0
        return await self._store.release(self._name, self._token)


class Lock:
    """A name that at most one process holds at a time."""

    def __init__(
        self, store: LockStore, name: str, *, ttl_s: float = TTL_S, retries: Retries | None = None
    ) -> None:
        self._store = store
        self._name = name
        self._ttl_s = ttl_s
        self._retries = retries or store.lock_retries

    async def acquire(self) -> HeldLock | None:
        """Take the lock; None if another process held it at every try. Raises Unavailable."""
        token = secrets.token_hex(16)
        attempt = 0
        while True:
            attempt += 1
            wait_s = self._retries.wait_after(attempt, random.random())
            try:
                held = await self._try(token)
            except Unavailable:
                if wait_s is None:
                    raise
                held = None
            if held is not None or wait_s is None:
                return held
            await asyncio.sleep(wait_s)

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[HeldLock]:
        """Hold the lock during a block. Raises LockHeld if another process has it."""
        held = await self.acquire()
        if held is None:
            raise LockHeld(f"another process holds the lock {self._name!r}: try again later")
        try:
            yield held
        finally:
            with suppress(OutriderError):  # it expires by itself
                await held.release()

    async def _try(self, token: str) -> HeldLock | None:
        asked_at = time.monotonic()
        grant = await self._store.try_acquire(self._name, token, self._ttl_s)
        if grant is None:
            return None
        ends_at = valid_until(asked_at, self._ttl_s)
        held = HeldLock(self._store, self._name, token, self._ttl_s, ends_at, grant.fence)
        if held.is_valid(time.monotonic()):
            return held
        await held.release()  # the answer took so long that the lock may have expired
        return None
