"""Starts the process from which workers are forked. A command calls it before its own imports."""

from outrider.supervision.fork_server import start_fork_server

PRELOAD = ("outrider.workers.preload",)


def prepare_workers() -> None:
    """Import the code of workers in a process of its own, while this process does something else."""
    start_fork_server(PRELOAD)
