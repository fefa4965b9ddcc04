"""What every child process does at its start and at its end."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import uvloop

from outrider import logs
from outrider.db.embedded import lease_of
from outrider.db.options import DatabaseOptions
from outrider.logs import LogOptions, get_logger
from outrider.lossy import take_losses

log = get_logger()

LONGEST_ERROR = 500
PARENT_CHECK_S = 1.0


class ExitReport(NamedTuple):
    """The report of a process to its supervisor when it ends."""

    lines_lost: int = 0  # of its log
    error: str | None = None  # why it ended, if it was not stopped


def run_child(
    work: Callable[[], Coroutine[Any, Any, None]],
    service: str,
    log_options: LogOptions,
    database: DatabaseOptions,
    supervisor: Connection,
) -> None:
    """Run `work` to its end; then report lost log lines and the error, if there is one.

    The process has a lease of its own on the embedded server: it can write its results after its parent was
    killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the supervisor decides
    out = logs.set_up(log_options, service=service)
    error: str | None = None
    try:
        with lease_of(database):
            uvloop.run(work())
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"[:LONGEST_ERROR]
        raise
    finally:
        report = ExitReport(take_losses(out), error)
        if report != ExitReport():
            with suppress(OSError):  # the supervisor may be gone, or the pipe full
                supervisor.send(report)


async def stop_without_parent(parent_pid: int, stop: Callable[[], object]) -> None:
    """Call `stop` when the supervisor is gone. Runs until then, or until it is cancelled."""
    while os.getppid() == parent_pid:  # noqa: ASYNC110 (nothing signals it)
        await asyncio.sleep(PARENT_CHECK_S)
    log.warning("supervisor is gone, finishing")
    stop()
