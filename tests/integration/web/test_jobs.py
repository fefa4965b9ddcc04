"""`/api/v1/jobs`: list, create, read, change and delete jobs."""

from datetime import datetime

import pytest
from tests.support.scheduling import complete_run, fail_run, start_runs, watch

from outrider.watch.source_service import SourceService


@pytest.fixture
async def blatt(operator):
    """A source with its managed job."""
    return await watch(operator, "blatt", labels="press")


async def create(api, **values):
    answer = await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 6} | values)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def stored(api, job):
    async with api.context.connection() as db:
        return await db.fetchrow("SELECT * FROM job WHERE job_id = $1", job["number"])


async def test_a_job_with_an_interval_is_scheduled(api, blatt):
    made = await create(api, interval_type="hours", priority=80, metadata={"ticket": 7})

    assert (made["status"], made["interval_minutes"], made["interval_type"]) == ("scheduled", 6, "hours")
    row = await stored(api, made)
    assert (row["interval_count"], row["interval_type"], row["priority"]) == (6, "hours", 80)
    assert row["metadata"] == {"ticket": 7}


async def test_a_job_without_an_interval_runs_once_now(api, blatt):
    made = await create(api, interval_minutes=None)

    assert (made["status"], made["schedule_enabled"]) == ("pending", False)


@pytest.mark.parametrize(
    ("values", "status", "said"),
    [
        pytest.param({"source_id": "nobody"}, 404, "nobody", id="a source that does not exist"),
        pytest.param({"schedule_enabled": False}, 400, "runs once", id="an interval of a one-time job"),
        pytest.param(
            {"schedule_enabled": True, "interval_minutes": None}, 400, "needs an interval", id="no interval"
        ),
        pytest.param({"interval_minutes": 0}, 422, "interval_minutes", id="an interval of zero"),
        pytest.param({"colour": "red"}, 422, "colour", id="an unknown field"),
        pytest.param({"status": "running"}, 422, "status", id="a state"),
        pytest.param({"priority": 101}, 422, "priority", id="a priority out of range"),
        pytest.param({"interval_minutes": 400, "interval_type": "days"}, 400, "366 days", id="too long"),
        pytest.param({"metadata": {"x": "y" * 20_000}}, 422, "metadata", id="large metadata"),
    ],
)
async def test_a_job_that_cannot_be_is_refused(api, blatt, values, status, said):
    answer = await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 6} | values)

    assert answer.status_code == status
    assert said in answer.json()["error"]


async def test_a_disabled_source_takes_no_job(api, operator, blatt):
    await operator.run(lambda db: SourceService(operator.store).disable(db, blatt, "a test"))

    answer = await api.post("/api/v1/jobs", {"source_id": "blatt"})

    assert answer.status_code == 409
    assert "is disabled" in answer.json()["error"]


async def test_only_an_administrator_creates_jobs(api, blatt):
    refused = await api.post("/api/v1/jobs", {"source_id": "blatt"}, role="user")

    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert (await api.get("/api/v1/jobs")).json()["total"] == 1


async def test_a_list_is_filtered_sorted_and_paged(api, operator, blatt):
    await watch(operator, "zeitung")
    await create(api, interval_type="days")

    def numbers(answer):
        return [each["number"] for each in answer.json()["items"]]

    everything = await api.get("/api/v1/jobs?sort_by=created_at")
    backwards = await api.get("/api/v1/jobs?sort_by=created_at&sort_order=desc")
    second = await api.get("/api/v1/jobs?sort_by=created_at&limit=1&offset=1")
    assert (everything.json()["total"], everything.json()["total_is"]) == (3, "exact")
    assert numbers(backwards) == numbers(everything)[::-1]
    assert numbers(second) == numbers(everything)[1:2]
    for query, total in (
        ("source_id=blatt", 2),
        ("search=zeit", 1),
        ("search=BLATT.test", 2),
        ("label=press", 2),
        ("source_pattern=z*", 1),
        ("status=running,failed", 0),
        ("status=scheduled,pending", 3),
    ):
        assert (await api.get(f"/api/v1/jobs?{query}")).json()["total"] == total, query


async def test_a_list_is_sorted_by_each_of_its_names(api, operator):
    """Each column has an order of its own, so that no other one can stand in for it."""
    for name in "abc":
        await watch(operator, name)
    for column, order in (("created_at", "bac"), ("next_run_at", "bca"), ("started_at", "cab")):
        await change_jobs(operator, f"{column} = now() + $2::int * interval '1 hour'", enumerate(order))
    for status, name in (("completed", "c"), ("scheduled", "b"), ("failed", "a")):  # updated_at follows
        await change_jobs(operator, "status = $2::text::job_status", [(status, name)])

    async def names(sort, order):
        answer = await api.get(f"/api/v1/jobs?sort_by={sort}&sort_order={order}")
        return "".join(each["source_name"] for each in answer.json()["items"])

    expected = {
        "created_at": "bac",
        "updated_at": "cba",
        "status": "cab",
        "source_name": "abc",
        "next_run_at": "bca",
        "last_run_at": "cab",
    }
    assert {sort: await names(sort, "asc") for sort in expected} == expected
    assert {sort: (await names(sort, "desc"))[::-1] for sort in expected} == expected
    assert await names("type", "desc") == "abc"  # all jobs have the same type


async def change_jobs(operator, change, values):
    """Write a column of the job of each source: pairs of its value and the name of the source."""
    for value, name in values:
        await operator.run(
            lambda db, value=value, name=name: db.execute(
                f"UPDATE job SET {change} FROM source s WHERE s.source_id = job.source_id AND s.name = $1",
                name,
                value,
            )
        )


@pytest.mark.parametrize(
    ("query", "status"),
    [("status=asleep", 400), ("sort_by=colour", 422), ("limit=251", 422), ("limit=0", 422), ("stat=x", 400)],
)
async def test_a_wrong_filter_is_refused(api, query, status):
    assert (await api.get(f"/api/v1/jobs?{query}")).status_code == status


async def test_states_are_counted(api, blatt):
    made = await create(api)
    await api.post(f"/api/v1/jobs/{made['id']}/pause")

    counts = (await api.get("/api/v1/jobs/status-counts")).json()

    assert counts["total"] == 2
    assert set(counts["counts"]) == {
        "pending",
        "scheduled",
        "running",
        "paused",
        "completed",
        "failed",
        "cancelled",
    }
    assert {state: jobs for state, jobs in counts["counts"].items() if jobs} == {"scheduled": 1, "paused": 1}


async def test_a_job_is_read_by_number_and_by_id(api, blatt):
    made = await create(api)

    by_number = await api.get(f"/api/v1/jobs/{made['number']}")
    by_id = await api.get(f"/api/v1/jobs/{made['id']}")

    assert by_number.json() == by_id.json() == made
    assert (made["source_name"], made["url"], made["labels"]) == ("blatt", "https://blatt.test/", ["press"])
    row = await stored(api, made)
    assert datetime.fromisoformat(by_id.json()["next_run_at"]) == row["next_run_at"]
    assert (by_id.json()["id"], by_id.json()["priority"]) == (str(row["public_id"]), row["priority"])
    assert (await api.get("/api/v1/jobs/99999")).status_code == 404
    assert (await api.get("/api/v1/jobs/blatt")).status_code == 422
    assert (await api.get(f"/api/v1/jobs/{made['id']}", role="anonymous")).status_code == 401


async def test_a_change_that_saw_the_newest_state_is_made(api, blatt):
    made = await create(api)
    path = f"/api/v1/jobs/{made['id']}"
    tag = (await api.get(path)).headers["etag"]

    body = {"interval_minutes": 12, "interval_type": "hours", "max_retries": 5, "metadata": {"a": 1}}
    changed = await api.call("PUT", path, json=body, headers={"If-Match": tag})
    late = await api.call("PUT", path, json={"priority": 1}, headers={"If-Match": tag})

    assert changed.status_code == 200
    row = await stored(api, made)
    assert (row["interval_count"], row["interval_type"], row["max_retries"]) == (12, "hours", 5)
    assert row["metadata"] == {"a": 1, "schedule_by": "operator"}
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert row["priority"] != 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param({"status": "running"}, 422, id="the state is not set freely"),
        pytest.param({}, 400, id="nothing changes"),
        pytest.param({"interval_type": "days"}, 400, id="a unit without a number"),
    ],
)
async def test_a_change_that_cannot_be_is_refused(api, blatt, body, status):
    made = await create(api)

    answer = await api.call("PUT", f"/api/v1/jobs/{made['id']}", json=body)

    assert answer.status_code == status
    assert (await api.get(f"/api/v1/jobs/{made['id']}")).json() == made


async def test_new_metadata_leaves_the_schedule_to_the_source(api, blatt):
    [managed] = (await api.get("/api/v1/jobs")).json()["items"]

    changed = await api.call("PUT", f"/api/v1/jobs/{managed['id']}", json={"metadata": {"team": "a"}})

    assert changed.json()["metadata"] == {"team": "a"}


async def test_a_deleted_job_is_gone_with_its_executions(api, operator, blatt):
    [managed] = (await api.get("/api/v1/jobs")).json()["items"]
    made = await create(api)
    for job in (made, managed):
        await complete_run(operator, job["number"])

    answer = await api.call("DELETE", f"/api/v1/jobs/{made['id']}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert await stored(api, made) is None
    async with api.context.connection() as db:
        left = await db.fetch("SELECT job_id FROM run")
    assert [row["job_id"] for row in left] == [managed["number"]]


async def test_a_running_job_is_not_deleted(api, operator, blatt):
    made = await create(api)
    await start_runs(operator, made["number"])

    answer = await api.call("DELETE", f"/api/v1/jobs/{made['id']}")

    assert answer.status_code == 409
    assert "running" in answer.json()["error"]
    assert await stored(api, made) is not None


async def test_the_figures_of_a_job_count_its_executions(api, operator, blatt):
    made = await create(api)
    await fail_run(operator, made["number"])
    await complete_run(operator, made["number"])

    stats = (await api.get(f"/api/v1/jobs/{made['id']}/stats")).json()
    runs = (await api.get(f"/api/v1/jobs/{made['id']}/executions")).json()["items"]

    assert (stats["total_executions"], stats["successful_runs"], stats["failed_runs"]) == (2, 1, 1)
    assert stats["success_rate"] == 0.5
    assert stats["average_duration"] * 1000 == pytest.approx(runs[0]["duration_ms"], abs=1)
    assert stats["last_execution_at"] == runs[0]["started_at"] > runs[1]["started_at"]
    assert stats["next_scheduled_at"] == (await api.get(f"/api/v1/jobs/{made['id']}")).json()["next_run_at"]


async def test_one_job_is_found_by_its_number_or_its_source(api):
    await api.post("/api/v1/sources", {"url": "https://named.test/", "name": "Named"})
    await api.post("/api/v1/admin/sync-enabled-sources")
    for name in ("Named", "named.test"):
        [job] = (await api.get("/api/v1/jobs", params={"named": name})).json()["items"]
        assert job["source_name"] == "Named"
    [same] = (await api.get("/api/v1/jobs", params={"named": str(job["number"])})).json()["items"]
    assert same["id"] == job["id"]
    assert (await api.get("/api/v1/jobs", params={"named": "nobody"})).status_code == 404
