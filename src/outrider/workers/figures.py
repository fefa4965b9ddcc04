"""What a worker says about itself with every heartbeat."""

import resource
import sys
import time

from outrider.crawl.desk import Desk


def figures_of(desk: Desk, *, hosts: int) -> dict[str, object]:
    """Numbers small enough to write every second."""
    return {
        "pages": desk.figures["pages"],
        "bytes": desk.figures["bytes"],
        "in_flight": desk.in_flight,
        "hosts": hosts,
        "crowded": desk.crowded,
        "stopping": desk.stopping,
        "spent": desk.budget.is_spent,
        "unwritten": desk.flusher.batch.pages,
        "seen": len(desk.seen),
        "cpu_s": round(time.process_time(), 2),
        "rss_mb": round(_rss_bytes() / 1e6, 1),
        **(desk.flusher.shared.figures() if desk.flusher.shared else {}),
        **(desk.flusher.sinks.figures() if desk.flusher.sinks else {}),
    }


def _rss_bytes() -> int:
    try:
        with open("/proc/self/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
