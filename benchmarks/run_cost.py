"""What the bookkeeping of a run costs a page: the same pages with a run and without one, in turns.

Two databases on one server have the same URLs. In one of them all URLs belong to an open run. Each pair is a
few hundred pages in both, right after each other, and the order changes from pair to pair. Only CPU is
counted, that of the two connections and of our side: a busy machine disturbs both halves of a pair.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median, stdev

import asyncpg
from benchmarks import frontier
from benchmarks.frontier import Bench
from benchmarks.place import scratch
from benchmarks.report import Report

from outrider.db.embedded import EmbeddedPostgres

URLS = 100_000
PAGES = 400  # in one half of a pair
PAIRS = 300
WARM_UP_PAGES = 4_000
GOAL_PERCENT = 2.0
# What happens now and then, and would be charged to one half of a pair.
QUIET = {"autovacuum": "off", "checkpoint_timeout": "1h", "max_wal_size": "20GB"}

_RUN = """
  WITH opened AS (
    INSERT INTO run (source_id, execution_number, started_by) VALUES (1, 1, 'command') RETURNING run_id
  ),
  joined AS (
    UPDATE url SET run_id = opened.run_id FROM opened RETURNING 1
  )
  INSERT INTO run_counter (run_id, slot, name, value)
  SELECT run_id, 0, 'added', (SELECT count(*) FROM joined) FROM opened
"""


@dataclass(frozen=True, slots=True)
class RunCost:
    """CPU microseconds a page, pair by pair."""

    without_run: Sequence[float]
    with_run: Sequence[float]

    @property
    def differences(self) -> list[float]:
        return [more - less for less, more in zip(self.without_run, self.with_run, strict=True)]

    @property
    def error_of_median(self) -> float:
        """The standard error of the median difference, from the spread of its middle half."""
        found = self.differences
        spread = median(abs(each - median(found)) for each in found)
        return 1.253 * 1.483 * spread / len(found) ** 0.5

    def told(self) -> str:
        """The difference, its error and the goal in one sentence."""
        all_of_it, found = median(self.without_run), self.differences
        error = stdev(found) / len(found) ** 0.5
        return (
            f"A run costs a page {median(found):+.1f} µs in the median of {len(found)} pairs "
            f"({median(found) / all_of_it:+.1%}, standard error {self.error_of_median:.1f} µs), "
            f"{mean(found):+.1f} µs in the mean (standard error {error:.1f}). "
            f"The goal is under {GOAL_PERCENT:g} %, which is {all_of_it * GOAL_PERCENT / 100:.0f} µs."
        )


def report(pairs: int | None, say: Callable[[str], None]) -> Report:
    """Measure so many pairs, PAIRS unless told otherwise."""
    cost = asyncio.run(_measure(pairs or PAIRS, say))
    rows = [
        (name, f"{median(each):.0f}", f"{mean(each):.0f}", f"{min(each):.0f}")
        for name, each in (("without a run", cost.without_run), ("with a run", cost.with_run))
    ]
    return Report(
        name="runs",
        title=f"CPU of claim and flush a page, in µs, {len(cost.with_run)} pairs of {PAGES} pages",
        columns=("", "median", "mean", "least"),
        rows=rows,
        remarks=[cost.told()],
        figures=[asdict(cost)],
    )


async def _measure(pairs: int, say: Callable[[str], None]) -> RunCost:
    with scratch() as folder, EmbeddedPostgres(folder / "runs", QUIET) as server:
        async with _bench(server.dsn, "") as without, _bench(server.dsn, _RUN) as with_run:
            for bench in (without, with_run):
                await bench.run(WARM_UP_PAGES)
            found: dict[Bench, list[float]] = {without: [], with_run: []}
            for nth in range(pairs):
                order = (without, with_run) if nth % 2 == 0 else (with_run, without)
                for bench in order:
                    found[bench].append(await _cost_us(bench))
                if nth % 20 == 19:
                    say(f"{nth + 1} pairs: {RunCost(found[without], found[with_run]).told()}")
            return RunCost(found[without], found[with_run])


async def _cost_us(bench: Bench) -> float:
    before = _cpu_s(bench)
    pages = await bench.run(PAGES)
    return (_cpu_s(bench) - before) / pages * 1e6


def _cpu_s(bench: Bench) -> float:
    """Of our side and of the two connections, in nanoseconds: the usual counters have steps of 10 ms."""
    ran_ns = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in bench.pids]
    return time.process_time() + sum(ran_ns) / 1e9


@asynccontextmanager
async def _bench(dsn: str, then: str) -> AsyncIterator[Bench]:
    name = "with_run" if then else "without_run"
    db = await asyncpg.connect(dsn)
    await db.execute(f"CREATE DATABASE {name}")
    await db.close()
    own = re.sub(r"@/[^?]*\?", f"@/{name}?", dsn)
    await frontier.fill(own, URLS, URLS // frontier.URLS_A_HOST, then)
    async with frontier.open_bench(own) as bench:
        yield bench
