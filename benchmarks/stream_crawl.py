"""What open streams cost the crawl beside them: its rate with and without them, in turns."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median

from benchmarks import streams
from benchmarks.crawl import HOSTS, PAGES_PER_HOST, Speed, measure
from benchmarks.crawlers import Crawler
from benchmarks.place import scratch
from benchmarks.race import OURSELVES
from benchmarks.report import Report
from benchmarks.site import Site
from benchmarks.stream_server import allow_many_files

MOST_LOST = 0.05  # of the rate
READY = b"ready\n"


@dataclass(frozen=True, slots=True)
class Pair:
    """One crawl alone and one beside the streams."""

    alone_per_s: float
    beside_per_s: float

    @property
    def lost(self) -> float:
        """The part of the rate that the streams took; negative if the crawl was faster beside them."""
        return 1 - self.beside_per_s / self.alone_per_s


def report(rounds: int, say: Callable[[str], None]) -> Report:
    """Measure in pairs; each pair begins with the other one of the two."""
    pairs = list(_pairs(OURSELVES[0], rounds, say))
    rows = [
        (str(number), f"{pair.alone_per_s:,.0f}", f"{pair.beside_per_s:,.0f}", f"{pair.lost:+.1%}")
        for number, pair in enumerate(pairs, 1)
    ]
    lost = median(pair.lost for pair in pairs)
    rows.append(("median", "", "", f"{lost:+.1%}"))
    return Report(
        name="stream-crawl",
        title=f"A crawl beside {streams.CLIENTS:,} streams, {1 / streams.EVERY_S:g} events a second each",
        columns=("pair", "pages/s alone", "pages/s beside", "lost"),
        rows=rows,
        remarks=[
            f"The goal is less than {MOST_LOST:.0%}. The crawl has no delay and uses a core. The server, the "
            "database and the clients of the streams share the machine with it."
        ],
        figures=[asdict(pair) | {"lost": pair.lost} for pair in pairs],
    )


def _pairs(crawler: Crawler, rounds: int, say: Callable[[str], None]) -> Iterator[Pair]:
    with scratch() as folder:
        site = Site.render(folder / "pages", hosts=HOSTS, pages_per_host=PAGES_PER_HOST)
        for number in range(rounds):
            speeds: dict[bool, Speed] = {}
            for has_streams in _turn(number):
                say(f"pair {number + 1}, {'beside streams' if has_streams else 'alone'}")
                if has_streams:
                    with _open_streams():
                        speeds[True] = measure(crawler, site)
                else:
                    speeds[False] = measure(crawler, site)
            yield Pair(speeds[False].pages_per_s, speeds[True].pages_per_s)


def _turn(number: int) -> Sequence[bool]:
    """The machine gets slower or faster while we measure, so neither always comes first."""
    return (False, True) if number % 2 == 0 else (True, False)


@contextmanager
def _open_streams() -> Iterator[None]:
    """Server, clients and writer in processes of their own, from the first event on."""
    command = [sys.executable, "-m", "benchmarks.stream_crawl"]
    started = subprocess.Popen(command, cwd=streams.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert started.stdin is not None
        assert started.stdout is not None
        if started.stdout.readline() != READY:
            raise RuntimeError("the streams could not be opened")
        yield
        started.stdin.close()
        if started.wait(timeout=streams.LATE_S * 2) != 0:
            raise RuntimeError("the streams lost events")
    finally:
        started.kill()
        started.wait()


async def _stream() -> int:
    """Write events until the input ends; returns how many events the clients lost."""
    loop = asyncio.get_running_loop()
    is_over = loop.run_in_executor(None, sys.stdin.read)
    async with streams.followed() as (db, clients):
        written = 0
        while not is_over.done():
            began = time.perf_counter()
            await streams.write_one(db, written)
            written += 1
            if written == 1:
                sys.stdout.buffer.write(READY)
                sys.stdout.buffer.flush()
            await asyncio.sleep(max(0.0, streams.EVERY_S - (time.perf_counter() - began)))
        await streams.wait_for_all(clients, written)
        return sum(written - len(client.came) for client in clients)


if __name__ == "__main__":
    allow_many_files()
    sys.exit(1 if asyncio.run(_stream()) else 0)
