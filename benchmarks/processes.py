"""What processes cost, read from the operating system."""

from collections.abc import Iterable
from contextlib import suppress

import psutil


def cpu_s(processes: Iterable[psutil.Process]) -> float:
    """CPU seconds so far, user and system; those that are gone count nothing."""
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def server_cpu_s(postmaster_pid: int) -> float:
    """CPU seconds of a whole PostgreSQL server, with the backends and vacuums that have ended."""
    postmaster = psutil.Process(postmaster_pid)
    ended = postmaster.cpu_times()
    alive = cpu_s([postmaster, *postmaster.children(recursive=True)])
    return alive + ended.children_user + ended.children_system


def rss_mb(processes: Iterable[psutil.Process]) -> float:
    """The largest resident size among them, in megabytes."""
    largest = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            largest = max(largest, process.memory_info().rss)
    return largest / 1e6
