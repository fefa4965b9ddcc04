"""What every child process does at its start and at its end."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol

import uvloop

from outrider import logs
from outrider.db.embedded import lease_of
from outrider.db.options import DatabaseOptions
from outrider.log_options import LogOptions
from outrider.logs import get_logger
from outrider.lossy import take_losses

log = get_logger()

LONGEST_ERROR = 500
PARENT_CHECK_S = 1.0


class SentFile(Protocol):
    """A file descriptor on its way to a child process."""

    def detach(self) -> int: ...


class ChildReport(NamedTuple):
    """The report of a process to its supervisor: once when it is ready, and when it ends."""

    pid: int
    is_ready: bool = False  # it has begun its work
    lines_lost: int = 0  # of its log
    error: str | None = None  # why it ended, if it was not stopped


class SupervisorLink:
    """The way of a child process to its supervisor."""

    def __init__(self, reports: Connection) -> None:
        self._reports = reports
        self._parent_pid = os.getpid() if multiprocessing.parent_process() is None else os.getppid()

    @property
    def is_gone(self) -> bool:
        """Whether the supervisor has ended, or the server that forked this process and reports its end."""
        supervisor = multiprocessing.parent_process()
        if supervisor is None:
            return False
        return os.getppid() != self._parent_pid or not supervisor.is_alive()

    def report_ready(self) -> None:
        """The process has begun its work: whatever ends it from now on is no failed start."""
        self.send(ChildReport(os.getpid(), is_ready=True))

    def send(self, report: ChildReport) -> None:
        with suppress(OSError):  # the supervisor may be gone, or the pipe full
            self._reports.send(report)


def enter(target: str, args: Sequence[Any], stderr: SentFile | None, reports: Connection) -> None:
    """Entry point of every child process: call `target`, as "module:function", and report an error.

    The module is imported here, so that its import can fail like any other part of a start.
    """
    if stderr is not None:
        os.dup2(stderr.detach(), 2)  # a fork server was started before standard error was redirected
    supervisor = SupervisorLink(reports)
    try:
        module, _, name = target.partition(":")
        getattr(import_module(module), name)(*args, supervisor)
    except Exception as failure:
        message = f"{type(failure).__name__}: {failure}"[:LONGEST_ERROR]
        supervisor.send(ChildReport(os.getpid(), error=message))
        raise


def run_child(
    work: Callable[[], Coroutine[Any, Any, None]],
    service: str,
    log_options: LogOptions,
    database: DatabaseOptions,
    supervisor: SupervisorLink,
) -> None:
    """Run `work` to its end; then report lost log lines.

    The process has a lease of its own on the embedded server: it can write its results after its parent was
    killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the supervisor decides
    out = logs.set_up(log_options, service=service)
    try:
        with lease_of(database):
            uvloop.run(work())
    finally:
        if lines_lost := take_losses(out):
            supervisor.send(ChildReport(os.getpid(), lines_lost=lines_lost))


async def stop_without_parent(supervisor: SupervisorLink, stop: Callable[[], object]) -> None:
    """Call `stop` when the supervisor is gone. Runs until then, or until it is cancelled."""
    while not supervisor.is_gone:  # noqa: ASYNC110 (nothing signals it)
        await asyncio.sleep(PARENT_CHECK_S)
    log.warning("supervisor is gone, finishing")
    stop()
