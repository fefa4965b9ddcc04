"""What open streams cost the crawl beside them: its rate and its CPU with and without them, in turns.

The crawls are short, so that a few pairs fit into three minutes on a busy machine too: `LONGEST_S` bounds
each crawl, and no pair begins after `ENOUGH_S`.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from statistics import median

import psutil
from benchmarks import streams
from benchmarks.crawl import HOSTS, Speed, measure
from benchmarks.crawlers import Crawler
from benchmarks.place import scratch
from benchmarks.processes import ROOT
from benchmarks.race import OURSELVES
from benchmarks.report import Report
from benchmarks.site import Site
from benchmarks.stream_server import allow_many_files

PAGES = 3_000
LONGEST_S = 45.0
ENOUGH_S = 110.0
CLOSE_S = 10.0
MOST_LOST = 0.05  # of the rate
READY = b"ready\n"


@dataclass(slots=True)
class StreamCpu:
    """What the streams took beside a crawl, in percent of a core by part, and what the clients missed."""

    percent: dict[str, float] = field(default_factory=dict)
    per_s: float = 0.0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """One crawl alone and one beside the streams."""

    alone: Speed
    beside: Speed
    streams: StreamCpu
    load: float

    @property
    def lost(self) -> float:
        """The part of the rate that the streams took; negative if the crawl was faster beside them."""
        return 1 - self.beside.pages_per_s / self.alone.pages_per_s

    @property
    def dearer(self) -> float:
        """The part by which a page cost more CPU beside the streams; a busy machine hardly changes it."""
        return self.beside.all_ms / self.alone.all_ms - 1


def report(rounds: int, say: Callable[[str], None], pages: int | None) -> Report:
    """Measure in pairs; each pair begins with the other one of the two."""
    pairs = list(_pairs(OURSELVES[0], rounds, say, (pages or PAGES) // HOSTS))
    rows = [_row(str(number), pair) for number, pair in enumerate(pairs, 1)]
    lost, dearer = median(pair.lost for pair in pairs), median(pair.dearer for pair in pairs)
    rows.append(("median", "", "", f"{lost:+.1%}", "", "", f"{dearer:+.1%}", "", "", "", "", ""))
    return Report(
        name="stream-crawl",
        title=f"A crawl beside {streams.CLIENTS:,} streams, {1 / streams.EVERY_S:g} events a second each",
        columns=(
            *("pair", "pages/s alone", "beside", "lost", "CPU ms a page alone", "beside", "dearer"),
            *("server", "PostgreSQL", "clients", "events/s", "load"),
        ),
        rows=rows,
        remarks=[
            f"The goal is a rate that is less than {MOST_LOST:.0%} lower. The crawl has one worker and no "
            "delay. It shares the cores of the machine with the server, the database and the clients of the "
            "streams, whose CPU is in percent of a core. The load is that of the last minute."
        ],
        figures=[asdict(pair) | {"lost": pair.lost, "dearer": pair.dearer} for pair in pairs],
    )


def _row(name: str, pair: Pair) -> tuple[str, ...]:
    return (
        *(name, f"{pair.alone.pages_per_s:,.0f}", f"{pair.beside.pages_per_s:,.0f}", f"{pair.lost:+.1%}"),
        *(f"{pair.alone.all_ms:.2f}", f"{pair.beside.all_ms:.2f}", f"{pair.dearer:+.1%}"),
        *(f"{pair.streams.percent[part]:.0f} %" for part in ("server", "PostgreSQL", "clients")),
        *(f"{pair.streams.per_s:,.0f}", f"{pair.load:.1f}"),
    )


def _pairs(crawler: Crawler, rounds: int, say: Callable[[str], None], pages_per_host: int) -> Iterator[Pair]:
    began = time.monotonic()
    with scratch() as folder:
        site = Site.render(folder / "pages", hosts=HOSTS, pages_per_host=pages_per_host)
        for number in range(rounds):
            if number and time.monotonic() - began > ENOUGH_S:
                say(f"enough after {number} of {rounds} pairs: {ENOUGH_S:.0f} s have passed")
                return
            speeds: dict[bool, Speed] = {}
            cpu = StreamCpu()
            for has_streams in _turn(number):
                say(f"pair {number + 1}, {'beside streams' if has_streams else 'alone'}")
                if has_streams:
                    with _open_streams() as cpu:
                        speeds[True] = measure(crawler, site, LONGEST_S)
                else:
                    speeds[False] = measure(crawler, site, LONGEST_S)
            yield Pair(speeds[False], speeds[True], cpu, psutil.getloadavg()[0])


def _turn(number: int) -> Sequence[bool]:
    """The machine gets slower or faster while we measure, so neither always comes first."""
    return (False, True) if number % 2 == 0 else (True, False)


@contextmanager
def _open_streams() -> Iterator[StreamCpu]:
    """Server, clients and writer in processes of their own; what they cost is known at the end."""
    command = [sys.executable, "-m", "benchmarks.stream_crawl"]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    cost = StreamCpu()
    try:
        assert started.stdin is not None
        assert started.stdout is not None
        if started.stdout.readline() != READY:
            raise RuntimeError("the streams could not be opened")
        yield cost
        started.stdin.close()
        told = json.loads(started.stdout.readline())
        cost.percent, cost.per_s, cost.lost = told["percent"], told["per_s"], told["lost"]
        if cost.lost:
            raise RuntimeError(f"the streams lost {cost.lost} events")
    finally:
        started.stdin.close()  # upon which it stops its server and its database
        try:
            started.wait(timeout=streams.LATE_S + CLOSE_S)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


async def _stream() -> None:
    """Write events until the input ends, then say what that took and how many the clients lost."""
    is_over = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    async with streams.followed() as opened:
        before, began, written = opened.cpu_s(), time.perf_counter(), 0
        while not is_over.done():
            now = time.perf_counter()
            await streams.write_one(opened.db, written)
            written += 1
            if written == 1:
                sys.stdout.buffer.write(READY)
                sys.stdout.buffer.flush()
            await asyncio.sleep(max(0.0, streams.EVERY_S - (time.perf_counter() - now)))
        took_s, after = time.perf_counter() - began, opened.cpu_s()
        await streams.wait_for_all(opened.clients, written)
        came = sum(len(client.came) for client in opened.clients)
        told = {
            "percent": {part: (after[part] - before[part]) / took_s * 100 for part in after},
            "per_s": came / took_s,
            "lost": written * len(opened.clients) - came,
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    allow_many_files()
    asyncio.run(_stream())
