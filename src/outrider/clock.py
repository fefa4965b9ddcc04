"""Time as a parameter: policies take `now`, loops take a clock."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

PUNCTUAL_S = 0.0001


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime: ...


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FrozenClock:
    """A clock that moves only when `advance` is called."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def advance(self, by: timedelta) -> None:
        self._at += by


async def sleep_until(moment: float) -> None:
    """Sleep until `time.monotonic()` reaches `moment`. uvloop wakes up to 1.5 ms early: sleep again."""
    await asyncio.sleep(moment - time.monotonic())
    while (left := moment - time.monotonic()) > PUNCTUAL_S:  # noqa: ASYNC110 -- there is no event to wait for
        await asyncio.sleep(left)
