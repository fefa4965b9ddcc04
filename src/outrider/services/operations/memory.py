"""The use case of memory statistics: this process, and the workers by their heartbeats (API-03)."""

import gc
import os
import platform
import resource
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from outrider.worker_registry.store import WorkerRegistry


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """The memory of the process that answers."""

    pid: int
    rss_bytes: int
    peak_rss_bytes: int
    gc_collections: int
    threads: int
    open_files: int | None  # None: the system does not tell


@dataclass(frozen=True, slots=True)
class WorkerMemory:
    """The memory of a worker, as its last heartbeat tells."""

    worker_id: int
    pid: int
    rss_bytes: int


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """The memory of this process and of all live workers."""

    process: ProcessMemory
    workers: Sequence[WorkerMemory]


async def read_memory(db: asyncpg.Connection) -> MemoryReport:
    """The memory now."""
    workers = [
        WorkerMemory(each.worker_id, each.pid, int(each.stats.get("rss_mb", 0) * 1e6))
        for each in await WorkerRegistry().live(db)
    ]
    return MemoryReport(process_memory(), workers)


def process_memory() -> ProcessMemory:
    """The memory of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if platform.system() == "Darwin" else 1024)
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        rss, files = pages * resource.getpagesize(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    except OSError:
        rss, files = peak, None
    return ProcessMemory(
        pid=os.getpid(),
        rss_bytes=rss,
        peak_rss_bytes=peak,
        gc_collections=sum(each["collections"] for each in gc.get_stats()),
        threads=threading.active_count(),
        open_files=files,
    )
