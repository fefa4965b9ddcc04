"""Starts the process from which workers are forked. A command calls it before its own imports."""

from collections.abc import Sequence

from outrider.supervision.fork_server import start_fork_server

PRELOAD = ("outrider.workers.preload",)
PRELOAD_WATCH = ("outrider.workers.preload_watch",)


def prepare_workers(preload: Sequence[str] = PRELOAD) -> None:
    """Import the code of workers in a process of its own, while this process does something else.

    Code that is not preloaded is imported when a worker needs it.
    """
    start_fork_server(preload)
