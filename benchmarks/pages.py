"""What the pages of the dashboard cost on a large database: every page, as an administrator reads it."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from gzip import decompress
from itertools import repeat
from pathlib import Path

import asyncpg
from argon2 import PasswordHasher
from benchmarks.api_requests import Samples
from benchmarks.page_requests import is_file, requests_of, unmeasured
from benchmarks.read_cost import JOBS, SOURCES, TIMES, URLS, ReadCost, ReadMeter, filled_database, meter
from benchmarks.report import Report

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.auth.sessions import PostgresSessions
from outrider.auth.users import find_user
from outrider.services.users.users import add_user
from outrider.web.identity import SESSION_COOKIE

LONGEST_MS = 100.0  # the budget: of the 99th percentile
LARGEST_KB = 150.0  # of a first load, compressed, without the chart library
CHARTS = "echarts."
_ASSET = re.compile(rb'(?:src|href)="(/assets/[^"]+)"')


@dataclass(frozen=True, slots=True)
class PageCost(ReadCost):
    """What one page takes; `first_load_kb` is the page, its styles and scripts as they are transferred."""

    first_load_kb: float

    @property
    def budget(self) -> str:
        """What is over the budget."""
        if is_file(self.path):
            return "whole file"
        size = "too large" if self.first_load_kb > LARGEST_KB else ""
        return ", ".join(filter(None, (self.verdict(LONGEST_MS, LONGEST_MS), size)))


def report() -> Report:
    """Fill a database, then measure every page."""
    costs = asyncio.run(_measure())
    return Report(
        name="pages",
        title=f"Pages of the dashboard in ms: {URLS:,} URLs, {JOBS:,} jobs, {SOURCES:,} sources",
        columns=(
            "page",
            "kB",
            "kB of a first load",
            "median",
            "p99",
            "CPU of the server",
            "CPU of PostgreSQL",
            "budget",
        ),
        rows=[
            (
                cost.name,
                f"{cost.kilobytes:.1f}",
                f"{cost.first_load_kb:.0f}",
                *cost.cells,
                cost.budget,
            )
            for cost in costs
        ],
        remarks=[
            f"The budget is {LONGEST_MS:.0f} ms at the 99th percentile of {TIMES} requests, one after the "
            f"other, and {LARGEST_KB:.0f} kB of a first load: page, styles and scripts as they are "
            "transferred, without the chart library. `over`: the CPU time is over the budget, too. "
            "`whole file`: a download of everything, which the budget does not judge.",
        ],
        figures=[asdict(cost) for cost in costs],
    )


async def _measure() -> list[PageCost]:
    async with filled_database() as database:
        return await measure(*database)


async def measure(dsn: str, folder: Path, postmaster: int | None, only: str = "") -> list[PageCost]:
    """Every page on a filled database; `only` is a part of the path."""
    db = await asyncpg.connect(dsn)
    try:
        cookie = await _session(db)
        samples = await Samples.read(db)
    finally:
        await db.close()
    if missing := unmeasured():
        raise RuntimeError(f"these pages are not measured: {', '.join(missing)}")
    headers = {"Cookie": f"{SESSION_COOKIE}={cookie}", "Accept-Encoding": "gzip"}
    async with meter(dsn, folder, postmaster) as server:
        return [await _cost(server, path, repeat(headers)) for path in requests_of(samples) if only in path]


async def _cost(server: ReadMeter, path: str, headers: Iterator[Mapping[str, str]]) -> PageCost:
    cost = await server.cost(path, headers)
    return PageCost(
        **asdict(cost), first_load_kb=cost.kilobytes + await _assets_kb(server, path, next(headers))
    )


async def _assets_kb(server: ReadMeter, path: str, headers: Mapping[str, str]) -> float:
    """The kilobytes of the files that a page names, as they are transferred."""
    async with server.client.get(path, headers=headers, allow_redirects=False) as answer:
        page = await answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            page = decompress(page)
    size = 0
    for name in {found.decode() for found in _ASSET.findall(page)}:
        if CHARTS not in name:
            async with server.client.get(name, headers=headers) as answer:
                size += len(await answer.read())
    return size / 1000


async def _session(db: asyncpg.Connection) -> str:
    """The cookie of an administrator. The password is never used, so it is hashed quickly."""
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    name = f"reader-{datetime.now(UTC):%H%M%S%f}"
    await add_user(db, shell_actor("bench"), name, "a password of the benchmark", Role.ADMIN, passwords)
    user = await find_user(db, name)
    return (await PostgresSessions().create(db, user)).cookie
