"""The figures that a worker reports with every heartbeat."""

import resource
import sys
import time

from outrider.crawl.worker_context import WorkerContext


def figures_of(context: WorkerContext, *, hosts: int) -> dict[str, object]:
    """Numbers small enough to write every second."""
    return {
        "pages": context.figures["pages"],
        "bytes": context.figures["bytes"],
        "in_flight": context.in_flight,
        "hosts": hosts,
        "crowded": context.crowded,
        "stopping": context.stopping,
        "spent": context.budget.is_spent,
        "unwritten": context.flusher.batch.pages,
        "seen": len(context.seen),
        "cpu_s": round(time.process_time(), 2),
        "rss_mb": round(_rss_bytes() / 1e6, 1),
        **(context.flusher.shared.figures() if context.flusher.shared else {}),
        **(context.flusher.sinks.figures() if context.flusher.sinks else {}),
    }


def _rss_bytes() -> int:
    try:
        with open("/proc/self/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
