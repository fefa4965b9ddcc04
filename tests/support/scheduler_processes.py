"""Scheduler processes on one database, to be killed.

`python -m tests.support.scheduler_processes DSN NUMBER` starts them.

The first process starts the others and starts a new one for each that dies. With `fetch` after the number, a
run begins as in a watch; else it has nothing to fetch.
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import asyncpg
import psutil

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler, SchedulerLimits
from outrider.periodic_tasks import PeriodicTask, run_periodically
from outrider.runs.model import Run
from outrider.sources.model import Source
from outrider.watch.source_runs import SourceRuns

NAME = "tests scheduler"


@contextmanager
def scheduler_processes(
    dsn: str, number: int, output: Path, *, fetch: bool = False
) -> Iterator[psutil.Process]:
    """So many schedulers, as children of the process that this yields; all are gone afterwards."""
    command = [sys.executable, "-m", "tests.support.scheduler_processes", dsn, str(number)]
    command += ["fetch"] if fetch else []
    with output.open("wb") as file:
        first = subprocess.Popen(
            command,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield psutil.Process(first.pid)
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()


async def _nothing(db: asyncpg.Connection, source: Source, run: Run, interval: timedelta | None) -> None:
    """A run that has nothing to fetch."""


async def _schedule(dsn: str, *, fetch: bool) -> None:
    connection = ReconnectingConnection(dsn, application_name=NAME)
    frontier = FrontierStore(FrontierOptions())
    runs = SourceRuns(frontier)
    runner = JobRunner(runs.start if fetch else _nothing, runs.content_hash, frontier)
    scheduler = Scheduler(connection, runner, SchedulerLimits(most_runs=40, stale_after_s=3.0))
    while True:
        with suppress(Unavailable):
            await scheduler.register()
            break
    tasks = [
        PeriodicTask("take over", 0.5, scheduler.take_over),
        PeriodicTask("renew", 0.5, scheduler.renew),
        PeriodicTask("watch", 0.1, scheduler.watch_runs),
        PeriodicTask("start", 0.1, scheduler.start_due),
    ]
    await run_periodically(tasks, 0.05)


def _start(dsn: str, *, fetch: bool) -> None:
    if os.fork() == 0:
        try:
            asyncio.run(_schedule(dsn, fetch=fetch))
        finally:
            os._exit(1)


def _end_with_the_test() -> None:
    """A test that is killed closes the pipe: nothing stays behind."""
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)


def main(dsn: str, number: int, *, fetch: bool) -> None:
    threading.Thread(target=_end_with_the_test, daemon=True).start()
    for _ in range(number):
        _start(dsn, fetch=fetch)
    while True:
        os.wait()
        _start(dsn, fetch=fetch)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), fetch="fetch" in sys.argv[3:])
