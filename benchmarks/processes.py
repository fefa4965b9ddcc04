"""What processes cost, read from the operating system."""

import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def server_process(module: str, *arguments: str) -> Iterator[tuple[psutil.Process, int]]:
    """A server of the bench in a process of its own, and the port that it prints; killed at the end."""
    started = subprocess.Popen([sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert started.stdout is not None
        yield psutil.Process(started.pid), int(started.stdout.readline())
    finally:
        started.kill()
        started.wait()


def cpu_s(processes: Iterable[psutil.Process]) -> float:
    """CPU seconds so far, user and system; those that are gone count nothing."""
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def below_cpu_s(process: psutil.Process) -> float:
    """CPU seconds of everything this process started, with what has ended since."""
    below = process.children(recursive=True)
    return cpu_s(below) + sum(map(_ended_below_s, [process, *below]))


def _ended_below_s(process: psutil.Process) -> float:
    """CPU seconds of the processes that this one has waited for; workers are children of a fork server."""
    with suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return float(times.children_user + times.children_system)
    return 0.0


def tree_cpu_s(process: psutil.Process) -> float:
    """CPU seconds of a process and of everything it started."""
    return cpu_s([process]) + below_cpu_s(process)


def ended_cpu_s() -> float:
    """CPU seconds of every child of ours that has ended, to its exit, with those it had waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def server_cpu_s(postmaster_pid: int) -> float:
    """CPU seconds of a whole PostgreSQL server, with the backends and vacuums that have ended."""
    return tree_cpu_s(psutil.Process(postmaster_pid))


def rss_mb(processes: Iterable[psutil.Process]) -> float:
    """The largest resident size among them, in megabytes."""
    largest = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            largest = max(largest, process.memory_info().rss)
    return largest / 1e6


def shared_out_mb(processes: Iterable[psutil.Process]) -> float:
    """Their memory together in megabytes, what they share counted once where the system can tell."""
    total = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            memory = process.memory_full_info()
            total += getattr(memory, "pss", memory.rss)
    return total / 1e6
