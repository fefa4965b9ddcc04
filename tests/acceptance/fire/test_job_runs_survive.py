"""Everything is killed in the middle of a run of 2,000 pages: the same run ends with exact counts."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import outrider
from tests.support.crawl import Run
from tests.support.database import this_run
from tests.support.web import Web

HOSTS, PAGES = 10, 2_000
KILLS = 2
SETTINGS = {
    "OUTRIDER_DELAY": "0",
    "OUTRIDER_SUBMISSIONS_PER_S": "100000",  # the default would stretch 2,000 pages over two minutes
    "OUTRIDER_SCHEDULER_POLL": "0.2",
    "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
}
NOW = "UPDATE job SET next_run_at = now(), slot_at = now()"
RUNS = """
  SELECT r.run_id, r.execution_number, r.status::text AS status, r.items_crawled,
         r.metadata::text AS metadata, j.status::text AS job_status, j.lock_token IS NULL AS is_free
    FROM run r JOIN job j USING (job_id)
"""


async def _ask(run: Run, sql: str) -> list[dict[str, Any]]:
    async with run.database() as db:
        return [dict(row) for row in await db.fetch(sql)]


def _until(holds: Callable[[], bool], run: Run, within_s: float) -> None:
    give_up_at = time.monotonic() + within_s
    while not holds():
        assert run.is_running, run.output()[-3000:]
        assert time.monotonic() < give_up_at, run.output()[-3000:]
        time.sleep(0.25)


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_a_run_of_a_job_survives_that_everything_is_killed(tmp_path: Path) -> None:
    data = this_run() / "survives" / "data"
    settings = SETTINGS | {"OUTRIDER_DATA": str(data)}
    with Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES // HOSTS) as web:
        hosts = [option for address in web.addresses for option in ("--allow-domain", address)]
        added = outrider(
            *("source", "add", web.origins[0], "--mode", "spider", "--depth", "-1", "--delay", "0"),
            *("--force", "--name", "web", *hosts),
            settings=settings,
        )
        assert added.code == 0, added.err
        run = Run(data, "watch", "--workers", "2", environment=settings)
        asyncio.run(_ask(run, "SELECT 1"))
        assert outrider("source", "sync", settings=settings).code == 0
        asyncio.run(_ask(run, NOW))
        _begin_run(data, settings)
        try:
            for number in range(KILLS):
                run.start()
                _until(lambda at=(number + 1) * 600: _pages(web) >= at, run, 90)
                run.kill_postgres()
                run.kill()
            seen = asyncio.run(_ask(run, RUNS))
            run.start()
            _until(lambda: asyncio.run(_ask(run, RUNS))[0]["status"] != "running", run, 150)
            ended = asyncio.run(_ask(run, RUNS))
            assert run.interrupt() == 0
        finally:
            run.kill()
            run.stop_postgres()

    assert [(row["execution_number"], row["status"]) for row in seen] == [(1, "running")]
    [row] = ended
    assert row["run_id"] == seen[0]["run_id"]
    assert (row["status"], row["items_crawled"]) == ("completed", PAGES)
    assert (row["job_status"], row["is_free"]) == ("scheduled", True)
    assert '"added": 2000' in row["metadata"]
    assert '"settled": 2000' in row["metadata"]
    fetched = Counter(
        (hit.address, hit.path) for hit in web.log() if hit.status == 200 and _is_page(hit.path)
    )
    assert len(fetched) == PAGES


def _begin_run(data: Path, settings: dict[str, str]) -> None:
    """Let a scheduler begin the run before there are workers, whose earlier pages would be no part of it."""
    scheduler = Run(data, "scheduler", environment=settings)
    scheduler.start()
    try:
        _until(lambda: bool(asyncio.run(_ask(scheduler, RUNS))), scheduler, 60)
    finally:
        scheduler.kill()


def _is_page(path: str) -> bool:
    return path != "/robots.txt"


def _pages(web: Web) -> int:
    return len({(hit.address, hit.path) for hit in web.log() if hit.status == 200})
