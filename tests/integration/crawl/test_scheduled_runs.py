"""Jobs with real requests while their schedulers are killed: the web server's log has each run once."""

import asyncio
import random
from collections import Counter

import pytest
from tests.support.scheduler_processes import scheduler_processes
from tests.support.site import html

from outrider.jobs.model import Interval, Unit
from outrider.jobs.operate import add
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService

SOURCES, ROUNDS = 12, 3
MAKE_DUE = "UPDATE job SET next_run_at = now() - interval '1 second', slot_at = now() - interval '1 second'"
LEFT = "SELECT count(*) FROM job WHERE lock_token IS NOT NULL OR next_run_at <= now()"


async def _add_jobs(operator, origins) -> None:
    service = SourceService(operator.store)
    for origin in origins:
        values = {"url": f"{origin}/", "name": origin, "mode": "spider", "delay": "0"}
        changes = read_changes(values).checked()
        added = await operator.run(lambda db, changes=changes: service.add(db, changes))
        source = added.source
        await operator.run(lambda db, source=source: add(db, source, Interval(6, Unit.HOURS), adaptive=False))
    await operator.run(lambda db: db.execute("UPDATE url SET next_fetch_at = now() + interval '1 hour'"))


@pytest.mark.timeout(120)
async def test_each_run_asks_for_its_front_page_once(crawl, serve, operator, database, tmp_path):
    site = serve({"/": html("front page")}, hosts=SOURCES)
    await _add_jobs(operator, site.origins)
    dice, killed = random.Random(3), 0
    with scheduler_processes(database, 4, tmp_path / "output", fetch=True) as schedulers:
        for _ in range(ROUNDS):
            await operator.run(lambda db: db.execute(MAKE_DUE))
            async with asyncio.timeout(60):
                while left := await operator.run(lambda db: db.fetchval(LEFT)):
                    running = schedulers.children()
                    if left > SOURCES // 2 and running:
                        dice.choice(running).kill()
                        killed += 1
                    await crawl.run()

    asked = Counter(each.address for each in site.log() if each.path == "/")
    assert sorted(asked.values()) == [ROUNDS] * SOURCES
    rows = await operator.run(lambda db: db.fetch("SELECT status, items_crawled FROM run"))
    assert [tuple(row) for row in rows] == [("completed", 1)] * (ROUNDS * SOURCES)
    assert killed > 0
