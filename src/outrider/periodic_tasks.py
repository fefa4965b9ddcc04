"""Periodic tasks of a process: each task is a function that runs when it is due."""

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
    """A function and its interval."""

    name: str
    every_s: float
    run: Callable[[], Awaitable[object]]
    runs_beside: bool = False  # it may wait for strangers, so the other tasks do not wait for it


async def run_periodically(tasks: list[PeriodicTask], tick_s: float = TICK_S) -> None:
    """Run each task when it is due, until cancelled. A task that fails is logged and runs again when due.

    Tasks run one after another, except those that run beside the others.
    """
    in_turn = [task for task in tasks if not task.runs_beside]
    async with asyncio.TaskGroup() as beside:
        for task in tasks:
            if task.runs_beside:
                beside.create_task(_run_in_turn([task], tick_s))
        await _run_in_turn(in_turn, tick_s)


async def _run_in_turn(tasks: list[PeriodicTask], tick_s: float) -> None:
    due = dict.fromkeys((task.name for task in tasks), 0.0)
    while True:
        for task in tasks:
            if time.monotonic() < due[task.name]:
                continue
            try:
                await task.run()
            except Unavailable as error:
                log.warning("periodic task postponed", task=task.name, error=str(error))
            except Exception:
                log.exception("periodic task failed", task=task.name)
            due[task.name] = time.monotonic() + task.every_s
        await asyncio.sleep(tick_s)
