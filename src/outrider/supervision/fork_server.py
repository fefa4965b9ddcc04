"""The process from which workers are forked, which has imported their code once.

An import of a worker's code takes half a second of CPU. A worker that is forked starts in milliseconds, and
shares the memory of the code with the other workers. The standard library runs the server: it has one thread
and no event loop, and nothing of the command that started it.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import BaseContext
from threading import Thread

STOP_S = 3.0  # longest wait for the end of the server


def fork_server(preload: Sequence[str]) -> BaseContext:
    """The context of processes that are forked with these modules; on other systems they are spawned.

    The libraries of macOS do not survive a fork.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def start_fork_server(preload: Sequence[str]) -> None:
    """Start the server now, so that it imports while this process does something else."""
    if fork_server(preload).get_start_method() == "forkserver":
        with interrupts_blocked():
            forkserver.ensure_running()


def stop_fork_server() -> None:
    """Wait for the end of the server after its last process. Blocks: use a thread.

    Without this the server ends by itself, but outlives the command by a moment, and the system does not
    count its CPU time, and that of its processes, as part of the command.
    """
    server = getattr(forkserver, "_forkserver", None)
    if (stop := getattr(server, "_stop", None)) is None:  # the library has it for its own tests
        return

    def wait() -> None:
        with suppress(OSError):  # it was killed
            stop()

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(STOP_S)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Start processes with SIGINT blocked: Ctrl-C cannot end them before they ignore the signal."""
    # The resource tracker starts first, because its start lifts the block. The tracker frees what the readers
    # of a killed worker shared; its warning about that is switched off.
    os.environ.setdefault("PYTHONWARNINGS", "ignore::UserWarning:multiprocessing.resource_tracker")
    # A thread of a library would not survive the fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
