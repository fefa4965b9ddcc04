"""`/api/v1/scheduler`."""

from datetime import datetime

import pytest
from tests.support.api import api_on
from tests.support.scheduling import fail_run, start_runs, watch


async def test_the_figures_name_schedulers_jobs_and_warnings(api, operator):
    await watch(operator, "blatt")
    job = (await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 60})).json()
    await fail_run(operator, job["number"])
    await start_runs(operator, job["number"])

    told = (await api.get("/api/v1/scheduler/metrics")).json()

    assert told["figures"]["jobs"]["running"] == 1
    assert told["figures"]["total_executions"] == 2
    assert len(told["schedulers"]) == 1
    [warning] = told["warnings"]
    assert "0% of the runs" in warning
    assert (await api.get("/api/v1/scheduler/metrics", role="anonymous")).status_code == 401


async def test_the_distribution_counts_runs_by_the_hour(api, operator):
    await watch(operator, "blatt")
    await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 1, "interval_type": "days"})

    told = (await api.get("/api/v1/scheduler/distribution")).json()

    counts = told["hourly_counts"]
    assert len(counts) == 24
    assert (told["max_per_hour"], told["min_per_hour"]) == (max(counts), min(counts))
    assert max(counts) > min(counts)  # one of the jobs runs once a day
    assert (told["peak_hour"], told["peak_count"]) == (counts.index(max(counts)), max(counts))
    assert (told["average_per_hour"], told["slot_minutes"]) == (sum(counts) / 24, 15)
    assert 0 <= told["distribution_score"] < 1
    assert told["total_jobs"] == 2
    assert "message" not in told


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


async def next_runs(operator):
    return await operator.run(lambda db: db.fetch("SELECT job_id, next_run_at FROM job ORDER BY job_id"))


async def test_a_preview_predicts_the_rebalance_and_changes_nothing(api, operator):
    await crowd(api, operator)
    before = await next_runs(operator)

    preview = (await api.post("/api/v1/scheduler/rebalance/preview")).json()
    after_preview = await next_runs(operator)
    done = (await api.post("/api/v1/scheduler/rebalance")).json()

    assert after_preview == before
    assert (preview["dry_run"], preview["jobs_updated"]) == (True, 0)
    assert preview["total_moves"] > 0
    assert done["jobs_updated"] == done["total_moves"] == preview["total_moves"]
    assert done["after_score"] > done["before_score"]
    moved = {each["job_id"]: datetime.fromisoformat(each["to_time"]) for each in done["moves"]}
    assert dict(await next_runs(operator)) == dict(before) | moved


@pytest.mark.parametrize("path", ["/api/v1/scheduler/rebalance/preview", "/api/v1/scheduler/rebalance"])
async def test_a_rebalance_is_for_administrators(api, path):
    assert (await api.post(path, role="user")).status_code == 403


async def test_without_load_balancing_nothing_is_moved_and_the_report_says_so(pool):
    api = api_on(pool, load_balancing=False)
    async with api.client:
        told = (await api.get("/api/v1/scheduler/distribution")).json()
        refused = await api.post("/api/v1/scheduler/rebalance")

    assert "switched off" in told["message"]
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")


async def test_a_disabled_scheduler_is_unavailable(pool):
    api = api_on(pool, scheduler=False)
    async with api.client:
        refused = await api.post("/api/v1/scheduler/rebalance/preview")

    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert "OUTRIDER_SCHEDULER" in refused.json()["error"]
