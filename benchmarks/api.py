"""What reading over the API costs on a large database: every GET, on the real application and server."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

import asyncpg
from argon2 import PasswordHasher
from benchmarks.api_requests import Samples, is_file, requests_of, unmeasured
from benchmarks.read_cost import JOBS, RUNS, TIMES, URLS, ReadCost, filled_database, meter
from benchmarks.report import Report

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.services.users.api_tokens import TokenRequest, create_api_token
from outrider.services.users.users import add_user

ADMINS = 40  # each has a rate limit of its own
MEDIAN_MS, LONGEST_MS = 20.0, 100.0  # the budget: of the median and of the 99th percentile


def report() -> Report:
    """Fill a database, then measure every read."""
    costs = asyncio.run(_measure())
    return Report(
        name="api",
        title=f"Reads of the API in ms: {URLS:,} URLs, {JOBS:,} jobs, {RUNS:,} executions",
        columns=("read", "kB", "median", "p99", "CPU of the API", "CPU of PostgreSQL", "budget"),
        rows=[
            (
                cost.name,
                f"{cost.kilobytes:.1f}",
                *cost.cells,
                "whole file" if is_file(cost.path) else cost.verdict(MEDIAN_MS, LONGEST_MS),
            )
            for cost in costs
        ],
        remarks=[
            f"The budget is {MEDIAN_MS:.0f} ms at the median and {LONGEST_MS:.0f} ms at the 99th percentile "
            f"of {TIMES} requests, one after the other. `over`: the CPU time is over the budget, too. "
            "`whole file`: a download of everything, which the budget does not judge.",
        ],
        figures=[asdict(cost) for cost in costs],
    )


async def _measure() -> list[ReadCost]:
    async with filled_database() as database:
        return await measure(*database)


async def measure(dsn: str, folder: Path, postmaster: int | None, only: str = "") -> list[ReadCost]:
    """Every read on a filled database; `only` is a part of the path."""
    db = await asyncpg.connect(dsn)
    try:
        tokens = await _tokens(db)
        samples = await Samples.read(db)
    finally:
        await db.close()
    if missing := unmeasured():
        raise RuntimeError(f"these reads are not measured: {', '.join(missing)}")
    headers = cycle([{"Authorization": f"Bearer {token}"} for token in tokens])
    async with meter(dsn, folder, postmaster) as server:
        return [await server.cost(path, headers) for path in requests_of(samples) if only in path]


async def _tokens(db: asyncpg.Connection) -> Sequence[str]:
    """API tokens of administrators. The passwords are never used, so they are hashed quickly."""
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    actor, made = shell_actor("bench"), []
    for number in range(ADMINS):
        name = f"bench-{number}-{datetime.now(UTC):%H%M%S%f}"
        await add_user(db, actor, name, "a password of the benchmark", Role.ADMIN, passwords)
        token = await create_api_token(db, actor, TokenRequest("bench", name), datetime.now(UTC))
        made.append(token.key)
    return made
