"""Keeps a process from waiting for a processor, and tells how long it did.

A sampler counts a process that waits like one that runs. Where it waits is no chance: who sends a request
wakes the server, which then often takes the processor from it.
"""

import os
from contextlib import suppress
from pathlib import Path


def first_in_line(pid: int, rank: int) -> None:
    """Let it run before all that is not in a hurry, where we may decide that; the higher rank goes first."""
    if hasattr(os, "sched_setscheduler"):
        with suppress(PermissionError, ProcessLookupError):
            os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(rank))


def ran_and_waited(pid: int) -> tuple[float, float]:
    """Seconds of its first thread so far, where the system counts them; else zeros."""
    try:
        ran_ns, waited_ns, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran_ns) / 1e9, int(waited_ns) / 1e9
