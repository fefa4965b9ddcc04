"""`/api/v1/admin/maintenance`: tasks that an operator asks for, and their history."""

import asyncio

import pytest
from tests.support.api import api_on
from tests.support.redis_server import RedisServer
from tests.support.scheduling import complete_run, watch

PATH = "/api/v1/admin/maintenance"


async def finished(api, record):
    """The task after its work has ended."""
    await asyncio.gather(*api.context.parts["maintenance_tasks"])
    return (await api.get(f"{PATH}/tasks/{record['task_id']}", role="admin")).json()


async def test_a_cleanup_removes_old_executions_and_says_how_many(api, operator):
    await watch(operator, "blatt")
    job = (await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 60})).json()
    for _ in range(3):
        await complete_run(operator, job["number"])
    await operator.run(
        lambda db: db.execute(
            "UPDATE run SET completed_at = now() - interval '31 days' WHERE execution_number < 3"
        )
    )

    answer = await api.post(f"{PATH}/cleanup")

    assert (answer.status_code, answer.json()["state"]) == (202, "running")
    ended = await finished(api, answer.json())
    assert (ended["state"], ended["result"]["runs_removed"]) == ("completed", 2)
    assert ended["requested_by"] == "ada"
    left = (await api.get(f"/api/v1/jobs/{job['id']}/executions")).json()
    assert [each["execution_number"] for each in left["items"]] == [3]


async def test_a_vacuum_is_carried_out(api, operator):
    record = (await api.post(f"{PATH}/vacuum")).json()

    assert (await finished(api, record))["state"] == "completed"
    vacuumed = await operator.run(
        lambda db: db.fetchval(
            "SELECT last_vacuum IS NOT NULL FROM pg_stat_user_tables WHERE relname = 'run'"
        )
    )
    assert vacuumed


async def test_a_backup_is_written_and_recorded(api, tmp_path):
    record = (await api.post(f"{PATH}/backup")).json()

    ended = await finished(api, record)
    assert (ended["state"], ended["requested_by"]) == ("completed", "ada")
    dump = tmp_path / "backups" / f"{ended['result']['name']}.dump"
    assert (ended["result"]["verified"], ended["result"]["bytes"]) == (True, dump.stat().st_size)


async def test_the_next_daily_backup_is_shown(api, operator):
    tasks = (await api.get(PATH, role="admin")).json()["tasks"]
    [before] = [each for each in tasks if each["task"] == "backup"]
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO maintenance_task (task, requested_by, state, started_at, ended_at)"
            " VALUES ('backup', 'schedule', 'completed', '2031-05-05T02:00:00Z', '2031-05-05T02:01:00Z')"
        )
    )
    tasks = (await api.get(PATH, role="admin")).json()["tasks"]
    [after] = [each for each in tasks if each["task"] == "backup"]

    assert (before["available"], before["every_s"]) == (True, 86_400)
    assert before["next_run_at"].endswith("T02:00:00+00:00")
    assert after["next_run_at"] == "2031-05-06T02:00:00+00:00"


async def test_the_visited_urls_are_rebuilt(pool, database, operator, redis_server: RedisServer):
    await operator.queue("https://blatt.test/a", "https://blatt.test/b")
    api = api_on(pool, redis_visited=True, redis_address=f"unix://{redis_server.socket}")
    api.context.parts["dsn"] = database
    async with api.client:
        record = (await api.post(f"{PATH}/rebuild-visited")).json()
        ended = await finished(api, record)

    assert (ended["state"], ended["result"]) == ("completed", {"urls": 2})


async def test_the_same_task_does_not_run_twice(api, operator):
    await operator.run(
        lambda db: db.execute("INSERT INTO maintenance_task (task, requested_by) VALUES ('vacuum', 'bob')")
    )

    answer = await api.post(f"{PATH}/vacuum")

    assert answer.status_code == 409
    assert "the task vacuum is running already" in answer.json()["error"]


async def test_a_task_of_a_dead_process_is_closed(api, operator):
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO maintenance_task (task, requested_by, beat_at) "
            "VALUES ('vacuum', 'bob', now() - interval '2 minutes')"
        )
    )

    record = (await api.post(f"{PATH}/vacuum")).json()
    await finished(api, record)

    newest, lost = (await api.get(PATH, role="admin")).json()["history"]
    assert (newest["task_id"], newest["state"]) == (record["task_id"], "completed")
    assert (lost["state"], "process" in lost["error"]) == ("failed", True)


async def test_a_task_that_fails_says_why(api, operator):
    await operator.run(lambda db: db.execute("ALTER TABLE source_event RENAME TO gone"))

    record = (await api.post(f"{PATH}/cleanup")).json()

    ended = await finished(api, record)
    assert (ended["state"], "source_event" in ended["error"]) == ("failed", True)


@pytest.mark.parametrize("task", ["archive", "rebuild-visited"])
async def test_a_task_that_is_not_available_says_why(api, task):
    answer = await api.post(f"{PATH}/{task}")

    assert answer.status_code == 503
    [summary] = [each for each in (await api.get(PATH, role="admin")).json()["tasks"] if each["task"] == task]
    assert (summary["available"], summary["unavailable_reason"]) == (False, answer.json()["error"])
    assert (await api.get(PATH, role="admin")).json()["history"] == []


async def test_backfill_is_unavailable(api):
    answer = await api.post("/api/v1/admin/backfill", {})

    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_maintenance_is_for_administrators(api):
    for method, path in (("GET", PATH), ("POST", f"{PATH}/vacuum"), ("POST", "/api/v1/admin/backfill")):
        assert (await api.call(method, path, "user")).status_code == 403
        assert (await api.call(method, path, "anonymous")).status_code == 401


async def test_an_unknown_task_is_refused(api):
    assert (await api.post(f"{PATH}/explode")).status_code == 422
    unknown = f"{PATH}/tasks/00000000-0000-4000-8000-000000000000"
    assert (await api.get(unknown, role="admin")).status_code == 404


async def test_the_next_run_of_each_task_is_shown(api, operator):
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO leader_task (name, every_s, last_started_at, next_run_at)"
            " VALUES ('prune runs', 3600, now(), '2030-01-01T12:00:00Z'),"
            "        ('roll up figures', 60, now(), '2030-01-01T11:00:00Z')"
        )
    )

    report = (await api.get(PATH, role="admin")).json()

    tasks = {each["task"]: each["next_run_at"] for each in report["tasks"]}
    assert tasks["cleanup"] == "2030-01-01T12:00:00+00:00"
    assert tasks["vacuum"] is None
    plan = {each["name"]: each["next_run_at"] for each in report["periodic"]}
    assert plan == {"prune runs": tasks["cleanup"], "roll up figures": "2030-01-01T11:00:00+00:00"}
