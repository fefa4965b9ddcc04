"""Collects hits, views and 404s of requests until they are reported, in bounded memory.

Requests only append to queues, which is safe from any thread. The thread that reports empties them. A full
queue drops what comes, and counts it.
"""

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from outrider.sites.paths import LONGEST_PATH, stored

MOST_WAITING = 20_000  # of each kind
MOST_PATHS = 5_000  # of each kind in one report
MOST_MISSES = 1_000  # paths of 404s in one report
MOST_REMEMBERED = 10_000  # paths of 404s that were reported lately
REPORT_AGAIN_S = 60.0
LONGEST_REFERRER = 1_000


@dataclass(slots=True)
class WaitingReport:
    """What was collected and not reported yet. Paths are in stored form."""

    hits: Counter[str] = field(default_factory=Counter)
    views: Counter[str] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)
    referrers: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.hits or self.views or self.misses)


class Recorder:
    """The queues of one middleware."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._hits: deque[str] = deque()
        self._views: deque[str] = deque()
        self._misses: deque[tuple[str, str]] = deque()
        self._reported_at: OrderedDict[str, float] = OrderedDict()
        self.dropped = 0

    def hit(self, key: str) -> None:
        """A visitor was redirected."""
        if len(self._hits) < MOST_WAITING:
            self._hits.append(key)
        else:
            self.dropped += 1

    def view(self, path: str) -> None:
        """A person saw a page."""
        if len(self._views) < MOST_WAITING and len(path) <= LONGEST_PATH:
            self._views.append(path)
        else:
            self.dropped += 1

    def miss(self, path: str, referrer: str = "") -> None:
        """A page was not found."""
        if len(self._misses) < MOST_WAITING and len(path) <= LONGEST_PATH:
            self._misses.append((path, referrer[:LONGEST_REFERRER]))
        else:
            self.dropped += 1

    def collect(self, report: WaitingReport) -> WaitingReport:
        """Empty the queues into a report. The most frequent paths stay if there are too many."""
        for queue, counts in ((self._hits, report.hits), (self._views, report.views)):
            for _ in range(len(queue)):
                counts[stored(queue.popleft())] += 1
            self._cut(counts, MOST_PATHS)
        for _ in range(len(self._misses)):
            path, referrer = self._misses.popleft()
            path = stored(path)
            report.misses[path] += 1
            if referrer:
                report.referrers.setdefault(path, referrer)
        self._cut(report.misses, MOST_MISSES)
        if report.referrers.keys() - report.misses.keys():
            report.referrers = {path: of for path, of in report.referrers.items() if path in report.misses}
        return report

    def due_misses(self, report: WaitingReport) -> Counter[str]:
        """The 404s to report now: a path that was reported within a minute waits."""
        now = self._clock()
        return Counter(
            {
                path: count
                for path, count in report.misses.items()
                if now - self._reported_at.get(path, -REPORT_AGAIN_S) >= REPORT_AGAIN_S
            }
        )

    def reported(self, report: WaitingReport, misses: Counter[str]) -> None:
        """A report was taken."""
        now = self._clock()
        for path in misses:
            report.misses.pop(path, None)
            report.referrers.pop(path, None)
            self._reported_at[path] = now
            self._reported_at.move_to_end(path)
        while len(self._reported_at) > MOST_REMEMBERED:
            self._reported_at.popitem(last=False)
        report.hits.clear()
        report.views.clear()

    def _cut(self, counts: Counter[str], most: int) -> None:
        if len(counts) > most:
            kept = counts.most_common(most)
            self.dropped += sum(counts.values()) - sum(count for _, count in kept)
            counts.clear()
            counts.update(dict(kept))
