"""Measure what the design promises.

    python -m benchmarks [crawl | frontier | memory | all] [--json FILE]

Every run has its own server and its own data, ends by itself and leaves nothing behind. A shared machine adds
noise of 20 % and more: compare runs of the same hour.
"""

import argparse
import json
import logging
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from benchmarks import crawl, frontier, memory
from rich.console import Console
from rich.table import Table

Rows = Sequence[dict[str, Any]]


def run_frontier(console: Console) -> Rows:
    costs = frontier.measure()
    table = _table(
        "PostgreSQL CPU a page, in µs, by URLs in the frontier",
        ("URLs", "claim", "write", "in all", "client", "a claim, ms", "p99", "pages/s"),
    )
    for cost in costs:
        times = (cost.claim_us, cost.write_us, cost.server_us, cost.client_us)
        claims = (f"{cost.claim_ms_median:.1f}", f"{cost.claim_ms_p99:.1f}")
        table.add_row(
            f"{cost.urls:,}", *(f"{time:.0f}" for time in times), *claims, f"{cost.pages_per_s:,.0f}"
        )
    console.print(table)
    ratio = costs[-1].server_us / costs[0].server_us
    console.print(f"{costs[-1].urls:,} URLs cost {ratio:.2f} times as much a page as {costs[0].urls:,}.\n")
    return [asdict(cost) for cost in costs]


def run_crawl(console: Console) -> Rows:
    speeds = [crawl.measure(workers) for workers in (1, 2)]
    table = _table(
        "A crawl of 10,000 pages of 31 kB with 48 links, delay 0; CPU in ms a page",
        ("workers", "pages/s", "CPU", "in workers", "in PG", "in command", "(nginx)", "RSS MB"),
    )
    for speed in speeds:
        times = (speed.all_ms, speed.worker_ms, speed.server_ms, speed.supervisor_ms, speed.nginx_ms)
        table.add_row(
            str(speed.workers),
            f"{speed.pages_per_s:,.0f}",
            *(f"{time:.2f}" for time in times),
            f"{speed.peak_rss_mb:.0f}",
        )
    console.print(table)
    return [asdict(speed) | {"all_ms": speed.all_ms} for speed in speeds]


def run_memory(console: Console) -> Rows:
    sizes = memory.measure()
    table = _table("A worker that crawls 100,000 pages", ("pages", "RSS MB", "pages/s so far"))
    for size in sizes:
        table.add_row(f"{size.pages:,}", f"{size.rss_mb:.0f}", f"{size.pages_per_s:,.0f}")
    console.print(table)
    return [asdict(size) for size in sizes]


BENCHMARKS: dict[str, Callable[[Console], Rows]] = {
    "frontier": run_frontier,
    "crawl": run_crawl,
    "memory": run_memory,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure what the design promises.")
    parser.add_argument("which", nargs="?", choices=[*BENCHMARKS, "all"], default="all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    console = Console()
    machine = f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}"
    started = datetime.now(UTC).isoformat(timespec="seconds")
    console.print(f"{started}, {machine}\n")
    names = list(BENCHMARKS) if asked.which == "all" else [asked.which]
    results = {name: BENCHMARKS[name](console) for name in names}
    if asked.json is not None:
        facts = {"started": started, "machine": machine, "results": results}
        asked.json.write_text(json.dumps(facts, indent=2) + "\n")


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


if __name__ == "__main__":
    main()
