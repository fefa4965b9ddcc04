"""Fuzzes the API by its description, as every kind of caller, until the time is up."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from tests.support.api_fuzz import SCENARIOS, fuzz
from tests.support.api_server import fill, server_process
from tests.support.database import TestServer, choices, forget_run, this_run

CALLERS = ("admin", "user", "nobody")
SINGLE = ("examples", "coverage", "fuzzing")
EXAMPLES = 1_000_000  # the time ends it


def fuzz_api(minutes: float, seed: int, only: Sequence[str], console: Console) -> int:
    """Every caller has an equal part of the time. Returns the exit code."""
    callers = [name for name in CALLERS if not only or name in only]
    try:
        with TestServer.of_this_run(choices()[0]) as server:
            share_s = max(1, int(minutes * 60 / len(callers)))
            codes = [asyncio.run(_as(server, name, share_s, seed, console)) for name in callers]
    finally:
        forget_run(this_run())
    return 1 if any(codes) else 0


async def _as(server: TestServer, caller: str, seconds: int, seed: int, console: Console) -> int:
    with tempfile.TemporaryDirectory(prefix="outrider-api-") as made:
        return await _within(Path(made), server, caller, seconds, seed, console)


async def _within(
    folder: Path, server: TestServer, caller: str, seconds: int, seed: int, console: Console
) -> int:
    async with server.database() as dsn:
        key = getattr(await fill(dsn), caller, None)
        with server_process(dsn, folder) as (_, address):
            # Two runs: with examples without end, the single requests would leave no time for the scenarios.
            limit = ("--max-time", str(max(1, seconds // 2)))
            parts = [
                await asyncio.to_thread(fuzz, address, key, phases, EXAMPLES, seed, folder, *limit)
                for phases in (SINGLE, SCENARIOS)
            ]
    logged = (folder / "server.log").read_text()
    is_clean = not logged and all(part.exit_code == 0 for part in parts)
    cases, links = sum(part.cases for part in parts), parts[1].links
    state = "clean" if is_clean else "see below"
    console.print(f"{caller}: {cases:,} requests, {links} links followed, {state}", markup=False)
    if not is_clean:
        for part in parts:
            console.print(part.output[-20_000:], markup=False, highlight=False)
        console.print(logged[-5_000:], markup=False, highlight=False)
    return 0 if is_clean else 1
