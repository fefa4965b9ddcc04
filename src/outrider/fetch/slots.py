"""Limit the concurrent requests to one server; further requests wait in a queue."""

import asyncio
from collections import deque
from collections.abc import Hashable


class Slots:
    """Slots by key. Each slot taken is given back once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    def take(self, key: Hashable) -> bool:
        """Take a free slot without waiting; False if there is none."""
        taken = self._taken.get(key, 0)
        if taken == self._most:
            return False
        self._taken[key] = taken + 1
        return True

    async def wait(self, key: Hashable) -> None:
        """Wait for a slot and take it."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.give(key)  # the slot was assigned in the moment of the cancellation
            raise

    def give(self, key: Hashable) -> None:
        """Give a slot back, or pass it to the first waiter."""
        line = self._waiting.get(key) if self._waiting else None
        while line:
            turn = line.popleft()
            if not line:
                del self._waiting[key]
            if not turn.done():
                turn.set_result(None)
                return
        taken = self._taken.pop(key) - 1
        if taken:
            self._taken[key] = taken
