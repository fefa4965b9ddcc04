"""The CPU of a page in this checkout and in another one, crawled in turns.

A shared machine changes from minute to minute. So each pair is two short crawls, one right after the other,
and the order changes from pair to pair. The difference of a pair says more than the figures themselves.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, stdev

from outrider.wording import plural

HERE = Path(__file__).resolve().parent.parent
LONGEST_S = 600.0
PAGES_PER_HOST = 60  # of 40 hosts: the crawl of a few seconds
# Both checkouts run this text, each with its own benchmarks and its own Outrider.
CRAWL = f"""
import json, signal, sys
from benchmarks import crawlers, race
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
race.PAGES_PER_HOST = {PAGES_PER_HOST}
[[speed]] = race.run([crawlers.Outrider(1)], 1, lambda _: None).values()
print(json.dumps({{"all_ms": speed.all_ms, "server_ms": speed.cpu_ms["PostgreSQL"]}}))
"""


@dataclass(frozen=True, slots=True)
class CrawlCost:
    """CPU milliseconds a page: workers and PostgreSQL together, and PostgreSQL alone."""

    all_ms: float
    server_ms: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """Crawls of both checkouts, in pairs."""

    before: Sequence[CrawlCost]
    now: Sequence[CrawlCost]

    def differences(self) -> list[float]:
        """By how many percent a page costs more here, pair by pair."""
        return [
            (now.all_ms / before.all_ms - 1) * 100 for before, now in zip(self.before, self.now, strict=True)
        ]

    def told(self) -> str:
        """The medians, the median difference and its spread in one sentence."""
        differences = self.differences()
        before, now = (median(each.all_ms for each in costs) for costs in (self.before, self.now))
        servers = [median(each.server_ms for each in costs) for costs in (self.before, self.now)]
        error = (
            f", standard error {stdev(differences) / len(differences) ** 0.5:.1f}"
            if len(differences) > 1
            else ""
        )
        return (
            f"CPU of a page: {before:.3f} ms in the other checkout ({servers[0]:.3f} of them PostgreSQL), "
            f"{now:.3f} ms here ({servers[1]:.3f}). In {plural(len(differences), 'pair')} the median of the "
            f"differences is {median(differences):+.1f} %, from {min(differences):+.1f} to "
            f"{max(differences):+.1f}{error}. The goal is under +2 %."
        )


def measure_pairs(other: Path, pairs: int, say: Callable[[str], None]) -> Pairs:
    """Crawl with both checkouts in turns."""
    before, now = [], []
    for nth in range(pairs):
        order = [(other, before), (HERE, now)]
        for checkout, costs in order if nth % 2 == 0 else reversed(order):
            costs.append(_crawl(checkout))
        say(f"pair {nth + 1}: {before[-1].all_ms:.3f} ms there, {now[-1].all_ms:.3f} ms here")
    return Pairs(before, now)


def _crawl(checkout: Path) -> CrawlCost:
    command = [_python(checkout), "-c", CRAWL]
    with subprocess.Popen(
        command, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as crawl:
        try:
            output, complaint = crawl.communicate(timeout=LONGEST_S)
        except BaseException:
            crawl.terminate()  # it stops its crawl and its servers
            raise
    if crawl.returncode != 0:
        raise SystemExit(f"benchmarks: the crawl in {checkout} failed: {complaint[-1000:]}")
    return CrawlCost(**json.loads(output.splitlines()[-1]))


def _python(checkout: Path) -> str:
    """The environment that belongs to a checkout."""
    return sys.executable if checkout == HERE else str(checkout / ".venv" / "bin" / "python")
