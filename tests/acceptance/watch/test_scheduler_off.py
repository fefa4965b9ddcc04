"""`OUTRIDER_SCHEDULER=false`: a watch leaves due jobs to `outrider scheduler`."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from tests.support.command import outrider_here_meanwhile
from tests.support.crawl import Watch
from tests.support.newsroom import MovableClock, Newsroom
from tests.support.publications import page

SCHEDULERS = "SELECT count(*) FROM scheduler"
RUNS = "SELECT runs FROM job"


@pytest.mark.parametrize(("is_on", "expected"), [("false", (0, 0)), ("true", (1, 1))])
async def test_a_watch_schedules_jobs_unless_it_is_told_not_to(
    database: str, tmp_path: Path, is_on, expected
):
    settings = {
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_SCHEDULER": is_on,
        "OUTRIDER_SCHEDULER_POLL": "0.2",
    }
    db = await asyncpg.connect(database)
    async with Newsroom(MovableClock()) as room:
        room.publish("/", page("Front page"))
        add = ("source", "add", room.origin(), "--mode", "spider", "--force")
        await outrider_here_meanwhile(*add, settings=settings)
        await outrider_here_meanwhile("source", "sync", settings=settings)
        await db.execute("UPDATE job SET next_run_at = now(), slot_at = now()")

        with Watch(tmp_path / "data", environment=settings) as watch:
            assert await asyncio.to_thread(watch.wait, 90) == 0, watch.output()

    assert (await db.fetchval(SCHEDULERS), await db.fetchval(RUNS)) == expected
    await db.close()
