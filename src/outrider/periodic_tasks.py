"""Periodic work of a process: each duty is one pass, run when its time has come."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from outrider.errors import Unavailable
from outrider.logs import get_logger

log = get_logger()

TICK_S = 5.0


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """One pass, and how often it is due."""

    name: str
    every_s: float
    run: Callable[[], Awaitable[object]]


async def attend(duties: list[PeriodicTask], tick_s: float = TICK_S) -> None:
    """Run each duty when it is due, until cancelled. A duty that fails is logged and runs again in time."""
    due = dict.fromkeys((duty.name for duty in duties), 0.0)
    while True:
        for duty in duties:
            if time.monotonic() < due[duty.name]:
                continue
            try:
                await duty.run()
            except Unavailable as away:
                log.warning("duty put off", duty=duty.name, error=str(away))
            except Exception:
                log.exception("duty broke", duty=duty.name)
            due[duty.name] = time.monotonic() + duty.every_s
        await asyncio.sleep(tick_s)
