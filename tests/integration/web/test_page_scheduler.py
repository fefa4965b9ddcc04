"""The pages of the scheduler, the workers and the health of all parts."""

import re

import pytest
from tests.support.api import api_on
from tests.support.scheduling import start_runs, watch

from outrider.machine import machine_id


@pytest.fixture
async def crowd(api, operator):
    """Jobs that all run in the same slot."""
    await watch(operator, "blatt")
    for _ in range(6):
        await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 1, "interval_type": "days"})
    await operator.run(
        lambda db: db.execute(
            "UPDATE job SET next_run_at = now() + interval '3 hours', slot_at = now() + interval '3 hours', "
            "placed_at = now() - interval '2 days' WHERE NOT auto_managed"
        )
    )


async def next_runs(pool):
    return [row["next_run_at"] for row in await pool.fetch("SELECT next_run_at FROM job ORDER BY job_id")]


async def test_the_chart_has_24_hours_and_a_table_behind_it(api, crowd):
    page = (await api.get("/scheduler")).text

    table = re.search(r'<table class="table" id="hours">.*?</table>', page, re.DOTALL)[0]
    assert 'data-chart="bar" data-for="hours"' in page
    assert page.count("<rect ") == 24
    counts = [int(found) for found in re.findall(r'<td class="number">(\d+)</td>', table)]
    assert len(counts) == 24
    assert max(counts) >= 6  # the crowd
    assert "spread unevenly" in page
    assert "style=" not in page


async def test_without_a_planned_run_the_page_says_what_to_do(api):
    page = (await api.get("/scheduler", role="admin")).text

    assert "no run is planned" in page
    assert 'href="/sources/new"' in page
    assert "evenly" not in page.replace("perfectly even", "")
    assert "00:00 UTC" not in page
    assert "Preview a rebalance" not in page


async def test_a_rebalance_is_shown_first_and_then_done(api, pool, crowd):
    before = await next_runs(pool)

    asked = (await api.get("/scheduler/rebalance", role="admin")).text
    assert await next_runs(pool) == before
    moves = int(re.search(r"Rebalance (\d+) job", asked)[1])
    done = await api.call("POST", "/scheduler/rebalance")

    assert moves > 0
    assert f"{moves} job" in done.headers["set-cookie"]
    assert done.headers["location"] == "/scheduler"
    assert sum(was != now for was, now in zip(before, await next_runs(pool), strict=True)) == moves


async def test_readers_cannot_rebalance(api, pool, crowd):
    assert "Preview a rebalance" not in (await api.get("/scheduler", role="user")).text
    assert (await api.get("/scheduler/rebalance", role="user")).status_code == 403
    assert (await api.call("POST", "/scheduler/rebalance", role="user")).status_code == 403


async def test_without_balancing_the_page_says_so(pool, tmp_path):
    api = api_on(pool, data=tmp_path, load_balancing="false")
    async with api.client:
        page = (await api.get("/scheduler", role="admin")).text

    assert "load balancing is switched off" in page.lower()
    assert "Preview a rebalance" not in page
    assert "No scheduler runs" in page


async def test_a_scheduler_that_runs_is_listed(api, operator, pool):
    await watch(operator, "blatt")
    scheduler = await start_runs(operator, await pool.fetchval("SELECT job_id FROM job"))

    page = (await api.get("/scheduler")).text
    await scheduler.stop()

    assert "1 scheduler runs" in page


async def test_workers_show_heartbeats_urls_and_the_stale(api, pool, operator):
    await pool.execute(
        """UPDATE worker SET beat_at = now() - interval '10 minutes',
                  stats = '{"name": "<b>w1</b>", "urls": ["javascript:alert(1)", "https://a.test/<i>"]}'"""
    )

    page = (await api.get("/workers", role="admin")).text

    assert "1 worker of 1 sends no heartbeat any more" in page
    assert "10 minutes ago" in page
    assert '<div class="figure-label">Silent</div>\n  <div class="figure-value">1</div>' in page
    assert "https://a.test/&lt;i&gt;" in page  # what it fetches
    assert "&lt;b&gt;w1&lt;/b&gt;" in page
    assert 'href="javascript:' not in page
    assert "<i>" not in page
    assert 'action="/workers/recover"' in page
    assert 'action="/workers/recover"' not in (await api.get("/workers", role="user")).text


async def test_without_any_worker_lost_hosts_can_still_be_recovered(api):
    assert 'action="/workers/recover"' in (await api.get("/workers", role="admin")).text


async def test_recover_frees_the_hosts_of_a_dead_worker(api, pool, operator):
    await operator.queue("https://a.test/1")
    assert await operator.claim()
    await pool.execute("UPDATE worker SET pid = 999999999, machine = $1", machine_id())

    answer = await api.call("POST", "/workers/recover")

    assert (answer.status_code, answer.headers["location"]) == (303, "/workers")
    assert "of 1 dead worker can be fetched again" in answer.headers["set-cookie"]
    assert await pool.fetchval("SELECT stopped_at IS NOT NULL FROM worker")
    assert (await api.call("POST", "/workers/recover", role="user")).status_code == 403


async def test_no_worker_is_an_empty_page_with_the_next_step(api):
    page = (await api.get("/workers")).text

    assert "No worker runs" in page
    assert "outrider serve" in page


async def test_health_names_each_part_and_what_happens_without_it(api):
    page = (await api.get("/health-report")).text

    for part in ("PostgreSQL", "Workers", "Scheduler", "Redis", "Data directory"):
        assert part in page
    assert "No worker runs, so no page is fetched" in page  # a degraded mode, as a sentence
    for without in (
        "Nothing works: requests get 503",
        "URLs stay queued",
        "No job starts by itself",
        "PostgreSQL does its work, a little slower",
        "Logs stay in the database",
        "Search answers from PostgreSQL",
    ):
        assert without in page
    assert page.count(">does not work<") == 2  # workers and scheduler
    assert page.count(">not used<") == 2
    assert (await api.get("/health-report", role="anonymous")).status_code == 303
