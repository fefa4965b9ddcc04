"""Periodic tasks that run only while their process leads."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from outrider.coordination.election import Election
from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term
from outrider.logs import get_logger
from outrider.periodic_tasks import TICK_S, PeriodicTask, run_periodically

log = get_logger()


class LeaderTasks:
    """Starts the tasks at a gain and cancels them at a loss.

    For a moment two processes may both run a task: a task must be idempotent, and a write that must not
    happen twice calls `fenced` with the term that `tasks_for` gets.
    """

    def __init__(
        self,
        election: Election,
        tasks_for: Callable[[Term], list[PeriodicTask]],
        *,
        tick_s: float = TICK_S,
    ) -> None:
        self._election = election
        self._tasks_for = tasks_for
        self._tick_s = tick_s
        self._running: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Take part in the election, and run the tasks while leading, until cancelled."""
        await self._election.run(self._start, self._stop)

    async def _start(self, term: Term) -> None:
        tasks = [self._reporting(task, term) for task in self._tasks_for(term)]
        self._running = asyncio.create_task(run_periodically(tasks, self._tick_s))

    async def _stop(self, term: Term, reason: str) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        running.cancel()
        _, late = await asyncio.wait({running}, timeout=self._election.options.renew_s)
        if late:
            log.error("leader tasks do not stop", term=term.fence, reason=reason)

    def _reporting(self, task: PeriodicTask, term: Term) -> PeriodicTask:
        """The task; a refused write of it ends the leadership."""

        async def run() -> None:
            try:
                await task.run()
            except StaleLeader as error:
                log.warning("write of a leader refused", task=task.name, error=str(error))
                self._election.step_down(term)

        return replace(task, run=run)
