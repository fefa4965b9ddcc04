"""Executions of jobs and their logs."""

import asyncio
import gzip
import json

import pytest
from tests.support.held_calls import HeldCall
from tests.support.scheduling import complete_run, start_runs, watch

from outrider.app import log_archive_of
from outrider.run_logs.archive import finish_log
from outrider.run_logs.archive_file import ArchiveFile
from outrider.run_logs.store import RunLogStore


@pytest.fixture
async def job(api, operator):
    await watch(operator, "blatt")
    return (await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 60})).json()


async def run_ids(operator, job):
    rows = await operator.run(
        lambda db: db.fetch("SELECT run_id FROM run WHERE job_id = $1 ORDER BY run_id", job["number"])
    )
    return [row["run_id"] for row in rows]


async def archive(api, operator, run_id):
    assert await finish_log(operator.connection, log_archive_of(api.context.settings), run_id)


async def test_executions_are_listed_newest_first_and_paged(api, operator, job):
    [managed] = (await api.get("/api/v1/jobs?named=blatt")).json()["items"]
    for number in (*(job["number"] for _ in range(3)), managed["number"]):
        await complete_run(operator, number)

    first = (await api.get(f"/api/v1/jobs/{job['id']}/executions?limit=2")).json()
    rest = (await api.get(f"/api/v1/jobs/{job['id']}/executions?limit=2&offset=2")).json()

    assert [each["execution_number"] for each in first["items"] + rest["items"]] == [3, 2, 1]
    assert (first["total"], first["limit"], rest["offset"]) == (3, 2, 2)
    of_job = await run_ids(operator, job)
    assert [each["number"] for each in first["items"] + rest["items"]] == of_job[::-1]


async def test_an_execution_is_read_by_id_and_by_number(api, operator, job):
    await complete_run(operator, job["number"])
    [listed] = (await api.get(f"/api/v1/jobs/{job['id']}/executions")).json()["items"]

    by_id = await api.get(f"/api/v1/executions/{listed['id']}")

    assert by_id.json()["status"] == "completed"
    assert by_id.json()["crawl_metrics"]["requests_total"] == 0
    assert (by_id.json()["run"], by_id.json()["job_id"]) == (listed["number"], job["id"])
    for name in ("execution_number", "started_at", "completed_at", "duration_ms", "items_crawled"):
        assert by_id.json()[name] == listed[name], name
    assert listed["completed_at"] >= listed["started_at"]
    assert by_id.json() == (await api.get(f"/api/v1/executions/{listed['number']}")).json()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/executions/7", 404),
        ("/api/v1/executions/00000000-0000-4000-8000-000000000000", 404),
        ("/api/v1/executions/first", 422),
        ("/api/v1/jobs/7/executions", 404),
        ("/api/v1/jobs/7/logs", 404),
        ("/api/v1/jobs/7/logs/view", 404),
        ("/api/v1/jobs/7/logs/download", 404),
    ],
)
async def test_what_does_not_exist_is_not_found(api, path, status):
    assert (await api.get(path)).status_code == status
    assert (await api.get(path, role="anonymous")).status_code == 401


async def test_each_execution_says_whether_its_log_is_there(api, operator, job):
    await complete_run(operator, job["number"])
    assert (await api.get(f"/api/v1/jobs/{job['id']}/logs")).json()["has_live_logs"] is False
    await start_runs(operator, job["number"])
    ended, running = await run_ids(operator, job)
    await archive(api, operator, ended)
    await operator.run(lambda db: RunLogStore().begin(db, running))

    logs = (await api.get(f"/api/v1/jobs/{job['id']}/logs")).json()

    assert (logs["has_live_logs"], logs["stream_v2_available"], logs["total"]) == (True, True, 2)
    newest, oldest = logs["executions"]
    assert (newest["is_live"], newest["log_available"], newest["is_archived"]) == (True, True, False)
    assert (oldest["is_live"], oldest["log_available"], oldest["is_archived"]) == (False, True, True)
    assert oldest["log_object_key"].endswith("/1.log.gz")


@pytest.mark.parametrize("is_archived", [False, True], ids=["in the table", "in the archive"])
async def test_a_log_is_read_page_by_page(api, operator, job, is_archived):
    await complete_run(operator, job["number"])
    [run_id] = await run_ids(operator, job)
    await operator.run(lambda db: RunLogStore().begin(db, run_id))
    if is_archived:
        await archive(api, operator, run_id)
    path = f"/api/v1/jobs/{job['id']}/logs/view?limit=1"

    first = (await api.get(path)).json()
    second = (await api.get(f"{path}&after={first['position']}")).json()

    assert [line["message"] for line in first["lines"]] == ["run started"]
    assert (first["execution_number"], first["position"], first["has_more"]) == (1, f"{run_id}-1", True)
    assert [line["position"] for line in second["lines"]] == ([f"{run_id}-2"] if is_archived else [])
    assert second["is_ended"] is is_archived


async def test_a_log_view_is_filtered_by_level_and_category(api, operator, job):
    await complete_run(operator, job["number"])
    [run_id] = await run_ids(operator, job)
    await operator.run(lambda db: RunLogStore().begin(db, run_id))

    async def lines(query):
        view = (await api.get(f"/api/v1/jobs/{job['id']}/logs/view?{query}")).json()
        assert view["position"] == f"{run_id}-1"
        return [line["message"] for line in view["lines"]]

    assert await lines("level=error") == []
    assert await lines("category=fetch") == []
    assert await lines("level=info&category=lifecycle") == ["run started"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("execution=9", 404),
        ("execution=newest", 422),
        ("after=here", 400),
        ("after=999-1", 400),
        ("limit=5000", 422),
        ("level=loud", 422),
    ],
)
async def test_a_wrong_question_about_a_log_is_refused(api, operator, job, query, status):
    await complete_run(operator, job["number"])

    assert (await api.get(f"/api/v1/jobs/{job['id']}/logs/view?{query}")).status_code == status


@pytest.mark.parametrize("is_archived", [False, True], ids=["in the table", "in the archive"])
async def test_a_log_is_downloaded_as_a_gzip_file(api, operator, job, is_archived):
    await complete_run(operator, job["number"])
    [run_id] = await run_ids(operator, job)
    await operator.run(lambda db: RunLogStore().begin(db, run_id))
    if is_archived:
        await archive(api, operator, run_id)

    answer = await api.get(f"/api/v1/jobs/{job['id']}/logs/download?execution=1")

    assert answer.headers["content-type"] == "application/gzip"
    assert answer.headers["content-disposition"] == f'attachment; filename="{job["id"]}-1.log.gz"'
    lines = [json.loads(line) for line in gzip.decompress(answer.content).splitlines()]
    assert lines[0]["message"] == "run started"
    assert len(lines) == (2 if is_archived else 1)


async def test_other_requests_are_answered_while_a_log_is_packed(api, operator, job, monkeypatch):
    await complete_run(operator, job["number"])
    [run_id] = await run_ids(operator, job)
    await operator.run(lambda db: RunLogStore().begin(db, run_id))
    packing = HeldCall(ArchiveFile.write)
    monkeypatch.setattr(ArchiveFile, "write", lambda file, lines: packing(file, lines))

    download = asyncio.create_task(api.get(f"/api/v1/jobs/{job['id']}/logs/download"))
    await packing.begun()
    other = await api.get(f"/api/v1/jobs/{job['id']}")
    packing.go_on()

    assert gzip.decompress((await download).content).count(b"run started") == 1
    assert other.status_code == 200
    assert not packing.held_up_all


async def test_the_latest_log_is_downloaded_unless_another_is_asked_for(api, operator, job):
    for _ in range(2):
        await complete_run(operator, job["number"])
    for run_id in await run_ids(operator, job):
        await operator.run(lambda db, run_id=run_id: RunLogStore().begin(db, run_id))
    path = f"/api/v1/jobs/{job['id']}/logs/download"

    names = [(await api.get(path + query)).headers["content-disposition"] for query in ("", "?execution=1")]

    assert names == [f'attachment; filename="{job["id"]}-{number}.log.gz"' for number in (2, 1)]


async def test_a_log_that_is_not_kept_any_more_is_not_found(api, operator, job):
    await complete_run(operator, job["number"])
    [run_id] = await run_ids(operator, job)
    await archive(api, operator, run_id)
    await operator.run(lambda db: db.execute("UPDATE run SET log_object_key = NULL"))

    for path in ("view", "download"):
        answer = await api.get(f"/api/v1/jobs/{job['id']}/logs/{path}")
        assert (answer.status_code, answer.json()["error"]) == (
            404,
            "the log of this execution is not kept any more",
        )
