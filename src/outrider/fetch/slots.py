"""At most so many requests to one server at a time; those beyond wait in line."""

import asyncio
from collections import deque
from collections.abc import Hashable


class Slots:
    """Places by key. Each one taken is given back once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    def take(self, key: Hashable) -> bool:
        """Take a free place; False when there is none to be had without waiting."""
        taken = self._taken.get(key, 0)
        if taken == self._most:
            return False
        self._taken[key] = taken + 1
        return True

    async def wait(self, key: Hashable) -> None:
        """Wait in line for a place, and take it."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.give(key)  # our turn came at the moment we left
            raise

    def give(self, key: Hashable) -> None:
        """Give a place back: to the first in line, if somebody waits."""
        line = self._waiting.get(key)
        while line:
            turn = line.popleft()
            if not line:
                del self._waiting[key]
            if not turn.done():
                turn.set_result(None)
                return
        self._taken[key] -= 1
        if self._taken[key] == 0:
            del self._taken[key]
