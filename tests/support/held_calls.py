"""A call that a test holds until something else has happened."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

LONGEST_S = 5.0


class HeldCall:
    """Stands in for a function. Its call waits until the test lets it go on.

    `held_up_all`: the call ran in the event loop, so that nothing could let it go on in all that time.
    """

    def __init__(self, real: Callable[..., Any]) -> None:
        self._real = real
        self._begun = threading.Event()
        self._may_go_on = threading.Event()
        self.held_up_all: bool | None = None

    def __call__(self, *given: Any) -> Any:
        self._begun.set()
        self.held_up_all = not self._may_go_on.wait(LONGEST_S)
        return self._real(*given)

    async def begun(self) -> None:
        """Wait for the call."""
        assert await asyncio.to_thread(self._begun.wait, 60)

    def go_on(self) -> None:
        self._may_go_on.set()
