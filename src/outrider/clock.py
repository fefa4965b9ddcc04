"""Time as a parameter: policies take `now`, loops take a clock."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

PUNCTUAL_S = 0.0001


class Clock(Protocol):
    """Whatever can say what time it is."""

    def now(self) -> datetime: ...


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def advance(self, by: timedelta) -> None:
        self._at += by


async def sleep_until(moment: float) -> None:
    """Until `time.monotonic()` is there, however often that takes: uvloop rings up to 1.5 ms too early."""
    await asyncio.sleep(moment - time.monotonic())
    while (left := moment - time.monotonic()) > PUNCTUAL_S:  # noqa: ASYNC110 -- time is no event
        await asyncio.sleep(left)
