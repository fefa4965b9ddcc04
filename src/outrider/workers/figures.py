"""The figures that a worker reports with every heartbeat."""

import resource
import sys
import time
from collections import deque
from itertools import islice

from outrider.crawl.worker_context import WorkerContext

MOST_URLS = 3
LONGEST_URL = 300
RATE_WINDOW_S = 10.0


class PageRate:
    """The pages a second of the last seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def after(self, pages: int, now: float) -> float:
        """The rate, if so many pages were fetched by now."""
        self._samples.append((now, pages))
        while now - self._samples[0][0] > RATE_WINDOW_S:
            self._samples.popleft()
        then, pages_then = self._samples[0]
        return round((pages - pages_then) / (now - then), 2) if now > then else 0.0


def figures_of(context: WorkerContext, *, hosts: int, name: str, pages_per_s: float) -> dict[str, object]:
    """Figures small enough to write every second."""
    return {
        "name": name,
        "pages": context.figures["pages"],
        "pages_per_s": pages_per_s,
        "urls": current_urls(context),
        "bytes": context.figures["bytes"],
        "claims": context.figures["claims"],
        "claim_s": round(context.figures["claim_us"] / 1e6, 3),
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


def current_urls(context: WorkerContext) -> list[str]:
    """The URLs of some of the requests under way, cut to a length that fits a heartbeat."""
    return [url[:LONGEST_URL] for url in islice(context.current_urls.values(), MOST_URLS)]


def _rss_bytes() -> int:
    try:
        with open("/proc/self/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
