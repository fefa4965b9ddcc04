"""Actions on jobs, one and many."""

from datetime import UTC, datetime

import pytest
from tests.support.scheduling import fail_run, start_runs, watch

ACTIONS = {
    "pause": "/api/v1/jobs/{}/pause",
    "resume": "/api/v1/jobs/{}/resume",
    "cancel": "/api/v1/jobs/{}/cancel",
    "retry": "/api/v1/jobs/{}/retry",
    "force-run": "/api/v2/jobs/{}/force-run",
}


@pytest.fixture
async def job(api, operator):
    """A job that runs every six hours, besides the managed one of its source."""
    await watch(operator, "blatt", labels="press")
    body = {"source_id": "blatt", "interval_minutes": 6, "interval_type": "hours"}
    return (await api.post("/api/v1/jobs", body)).json()


async def do(api, action, job, **more):
    return await api.post(ACTIONS[action].format(job["id"]), **more)


async def status_of(api, job):
    return (await api.get(f"/api/v1/jobs/{job['id']}")).json()["status"]


async def test_a_paused_job_has_no_next_run_until_it_is_resumed(api, job):
    paused = await do(api, "pause", job)
    assert (paused.status_code, paused.json()["status"], paused.json()["next_run_at"]) == (
        200,
        "paused",
        None,
    )
    assert paused.json()["slot_at"] is None

    resumed = await do(api, "resume", job)
    assert (resumed.status_code, resumed.json()["status"]) == (200, "scheduled")
    assert resumed.json()["next_run_at"] is not None


async def test_a_forced_run_is_accepted_and_due_now(api, job):
    answer = await do(api, "force-run", job)

    assert (answer.status_code, answer.json()["status"]) == (202, "pending")
    assert answer.json()["slot_at"] == job["slot_at"]


async def test_cancelling_a_running_job_asks_for_the_end_of_its_run(api, operator, job):
    await start_runs(operator, job["number"])

    answer = await do(api, "cancel", job)

    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    [run] = (await api.get(f"/api/v1/runs?job={job['id']}")).json()["items"]
    assert (run["state"], run["cancel_reason"]) == ("cancelling", "the job was cancelled")


@pytest.mark.parametrize(
    ("before", "state"), [(None, "scheduled"), ("pause", "paused"), ("force-run", "pending")]
)
async def test_a_job_that_does_not_run_is_cancelled_at_once(api, job, before, state):
    if before:
        await do(api, before, job)
    assert await status_of(api, job) == state

    answer = await do(api, "cancel", job)

    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert (answer.json()["next_run_at"], answer.json()["cancelled_at"] is not None) == (None, True)


async def test_a_job_of_a_disabled_source_is_not_resumed(api, job):
    await do(api, "pause", job)
    await api.call("PATCH", f"/api/v1/sources/{job['source_id']}/disable", json={"reason": "it moved"})

    refused = await do(api, "resume", job)

    assert (refused.status_code, "is disabled" in refused.json()["error"]) == (409, True)
    assert await status_of(api, job) == "paused"


async def test_a_failed_job_is_retried_with_all_its_retries(api, operator, job):
    for _ in range(4):
        await fail_run(operator, job["number"])
    assert await status_of(api, job) == "failed"

    answer = await do(api, "retry", job)

    assert (answer.status_code, answer.json()["status"]) == (200, "pending")
    assert (answer.json()["current_retry_count"], answer.json()["error_message"]) == (0, None)
    assert datetime.fromisoformat(answer.json()["next_run_at"]) <= datetime.now(UTC)


async def test_a_failed_job_of_a_disabled_source_is_not_retried(api, operator, job):
    for _ in range(4):
        await fail_run(operator, job["number"])
    await api.call("PATCH", f"/api/v1/sources/{job['source_id']}/disable", json={"reason": "it moved"})

    refused = await do(api, "retry", job)

    assert (refused.status_code, "is disabled" in refused.json()["error"]) == (409, True)
    assert await status_of(api, job) == "failed"


@pytest.mark.parametrize(
    ("action", "before", "state"),
    [
        ("pause", "pause", "paused"),
        ("resume", None, "scheduled"),
        ("retry", None, "scheduled"),
        ("force-run", "force-run", "pending"),
        ("cancel", "cancel", "cancelled"),
    ],
)
async def test_an_action_in_a_wrong_state_names_the_state(api, job, action, before, state):
    if before:
        await do(api, before, job)

    answer = await do(api, action, job)

    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert f"the job is {state}" in answer.json()["error"]
    assert await status_of(api, job) == state


@pytest.mark.parametrize("action", ACTIONS)
async def test_actions_are_for_administrators(api, job, action):
    assert (await do(api, action, job, role="user")).status_code == 403
    assert (await do(api, action, job, role="anonymous")).status_code == 401
    assert await status_of(api, job) == "scheduled"


@pytest.mark.parametrize("action", ACTIONS)
async def test_an_action_on_an_unknown_job_is_not_found(api, action):
    assert (await do(api, action, {"id": "77"})).status_code == 404


@pytest.mark.parametrize(
    "selected",
    [
        {"label": "press"},
        {"source_pattern": "bl*"},
        {"states": ["scheduled", "pending"]},
        {"all": True},
    ],
)
async def test_a_dry_run_says_what_would_change_and_changes_nothing(api, job, selected):
    before = (await api.get("/api/v1/jobs/status-counts")).json()

    tried = await api.post("/api/v1/jobs/bulk", {"verb": "cancel", "dry_run": True} | selected)

    assert tried.status_code == 200
    assert (tried.json()["dry_run"], tried.json()["changed"], tried.json()["refused"]) == (True, 2, 0)
    assert (await api.get("/api/v1/jobs/status-counts")).json() == before


async def test_a_job_that_refuses_stops_no_other(api, job):
    await do(api, "pause", job)

    done = (await api.post("/api/v1/jobs/bulk", {"verb": "resume", "ids": ["999", job["id"]]})).json()

    assert (done["changed"], done["refused"]) == (1, 1)
    assert "no job" in done["jobs"][0]["error"]
    assert await status_of(api, job) == "scheduled"


async def test_many_jobs_are_edited(api, job):
    body = {"verb": "edit", "label": "press", "changes": {"priority": 7}}

    done = await api.post("/api/v1/jobs/bulk", body)

    assert done.json()["changed"] == 2
    assert {each["priority"] for each in (await api.get("/api/v1/jobs")).json()["items"]} == {7}


@pytest.mark.parametrize(
    "body",
    [
        {"verb": "pause"},
        {"verb": "pause", "ids": ["1"], "all": True},
        {"verb": "edit", "all": True},
        {"verb": "explode", "all": True},
        {"verb": "pause", "ids": ["1"], "colour": "red"},
    ],
)
async def test_a_selection_that_is_not_clear_is_refused(api, job, body):
    answer = await api.post("/api/v1/jobs/bulk", body)

    assert answer.status_code == 422
    assert await status_of(api, job) == "scheduled"


async def test_only_an_administrator_changes_many_jobs(api, job):
    refused = await api.post("/api/v1/jobs/bulk", {"verb": "remove", "all": True}, role="user")

    assert refused.status_code == 403
    assert await status_of(api, job) == "scheduled"
