"""`/api/v1/runs`: crawls that the API starts, and the list of all runs."""

import pytest
from tests.support.make import completion
from tests.support.scheduling import complete_run, watch

from outrider.crawl.operator_runs import end_operator_runs
from outrider.crawl.processes import CrawlProcess, claim_run
from outrider.crawl.seeds import crawls_of_operators, start, suspend_idle_crawls
from outrider.frontier.stats import StatsStore
from outrider.sources.policy import Policy

SEED = "http://127.0.0.1:9/"
ELSEWHERE = "http://127.0.0.2:9/"


async def start_crawl(api, *urls, **options):
    return await api.post("/api/v1/runs", {"urls": list(urls) or [SEED], **options})


async def end_pass(operator):
    return await operator.run(lambda db: end_operator_runs(db, operator.store))


async def fetch_due(operator):
    """What a worker does: claim what is due, and fetch it."""
    leases = await operator.claim()
    for lease in leases:
        await operator.complete(*(completion(entry) for entry in lease.entries))
    await operator.release(*leases)
    return [entry.url for lease in leases for entry in lease.entries]


async def test_a_started_crawl_is_due_for_workers_and_ended_by_a_scheduler(api, operator):
    answer = await start_crawl(api, SEED, depth=2, max_pages=50)

    assert answer.status_code == 202
    run = answer.json()
    assert (run["state"], run["started_by"], run["progress"]["waiting"]) == ("running", "operator", 1)
    assert await end_pass(operator) == 0
    assert await fetch_due(operator) == [SEED]
    assert await end_pass(operator) == 1
    ended = (await api.get(f"/api/v1/runs/{run['run']}")).json()
    assert (ended["status"], ended["items_crawled"], ended["progress"]["waiting"]) == ("completed", 0, 0)


async def test_the_options_of_a_crawl_are_its_policy(api, operator):
    body = {"scope": "domain", "exclude": ["/print"], "depth": 5, "max_pages": 7, "delay_s": 2.5}
    await start_crawl(api, SEED, **body)

    [row] = await operator.run(lambda db: db.fetch("SELECT policy FROM source WHERE kind = 'crawl'"))

    stored = Policy.from_json(row["policy"])
    assert stored == Policy(
        seeds=(SEED,), scope=stored.scope, exclude=("/print",), max_depth=5, max_pages=7, delay_s=2.5
    )
    assert stored.scope.value == "domain"


async def test_the_same_crawl_is_refused_while_its_run_goes_on(api, operator):
    run = (await start_crawl(api)).json()

    again = await start_crawl(api)

    assert again.status_code == 409
    assert f"as run {run['run']}" in again.json()["error"]


async def test_a_crawl_that_a_command_runs_is_refused(api, operator):
    process = CrawlProcess.this()
    begun = await operator.run(lambda db: start(db, Policy(seeds=(SEED,)), operator.store, StatsStore()))
    await operator.run(lambda db: claim_run(db, begun.source.source_id, process))

    answer = await start_crawl(api)

    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


async def test_an_interrupted_crawl_goes_on_as_the_same_run(api, operator):
    begun = await operator.run(lambda db: start(db, Policy(seeds=(SEED,)), operator.store, StatsStore()))
    before = (await api.get(f"/api/v1/runs/{begun.run_id}")).json()

    run = (await start_crawl(api)).json()

    assert before["state"] == "interrupted"
    assert (run["run"], run["state"]) == (begun.run_id, "running")


async def test_a_run_that_reached_its_page_limit_ends_and_keeps_the_rest(api, operator):
    run = (await start_crawl(api, SEED, ELSEWHERE, max_pages=1)).json()
    source_id = run["source_id"]
    await operator.run(lambda db: operator.store.add_counts(db, {(source_id, "pages"): 1}))

    assert await end_pass(operator) == 1

    ended = (await api.get(f"/api/v1/runs/{run['run']}")).json()
    assert ended["status"] == "completed"
    assert (await operator.totals(source_id)).pending == 2
    assert await fetch_due(operator) == []


async def test_a_cancelled_crawl_leaves_the_queue_and_is_ended_by_a_scheduler(api, operator):
    run = (await start_crawl(api)).json()
    [lease] = await operator.claim()

    answer = await api.post(f"/api/v1/runs/{run['id']}/cancel", {"reason": "wrong site"})

    assert answer.status_code == 202
    assert (answer.json()["state"], answer.json()["cancel_reason"]) == ("cancelling", "wrong site")
    await operator.complete(*(completion(entry) for entry in lease.entries))
    await operator.release(lease)
    assert await end_pass(operator) == 1
    assert (await api.get(f"/api/v1/runs/{run['id']}")).json()["status"] == "cancelled"
    twice = await api.post(f"/api/v1/runs/{run['id']}/cancel")
    assert twice.status_code == 409
    assert "has ended already: cancelled" in twice.json()["error"]


async def test_a_cancelled_run_of_a_dead_command_is_ended(api, operator):
    begun = await operator.run(lambda db: start(db, Policy(seeds=(SEED,)), operator.store, StatsStore()))

    answer = await api.post(f"/api/v1/runs/{begun.run_id}/cancel")
    await end_pass(operator)

    assert answer.status_code == 202
    assert (await api.get(f"/api/v1/runs/{begun.run_id}")).json()["status"] == "cancelled"


async def test_a_crawl_of_an_operator_is_not_suspended_as_idle(api, operator):
    run = (await start_crawl(api)).json()

    await operator.run(lambda db: suspend_idle_crawls(db, operator.store))

    assert await operator.run(crawls_of_operators) == {run["source_id"]}
    assert len(await operator.claim()) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param({"urls": []}, 422, id="no URL"),
        pytest.param({"urls": ["http://"]}, 400, id="no address"),
        pytest.param({"urls": ["ftp://example.com/"]}, 400, id="another scheme"),
        pytest.param({"urls": [SEED], "include": ["("]}, 400, id="a broken pattern"),
        pytest.param({"urls": [SEED], "depth": 1000}, 422, id="too deep"),
        pytest.param({"urls": [SEED], "colour": "red"}, 422, id="an unknown field"),
        pytest.param({"urls": ["https://example.com/"]}, 400, id="the public web without a contact"),
    ],
)
async def test_a_crawl_that_cannot_be_is_refused(api, body, status):
    answer = await api.post("/api/v1/runs", body)

    assert answer.status_code == status, answer.text
    assert (await api.get("/api/v1/runs")).json()["total"] == 0


async def test_only_an_administrator_starts_and_cancels_crawls(api):
    run = (await start_crawl(api)).json()

    assert (await api.post("/api/v1/runs", {"urls": [ELSEWHERE]}, role="user")).status_code == 403
    assert (await api.post(f"/api/v1/runs/{run['run']}/cancel", role="user")).status_code == 403
    assert (await api.get("/api/v1/runs/last", role="user")).json()["state"] == "running"


async def test_runs_are_walked_by_cursor_and_filtered(api, operator):
    await watch(operator, "blatt")
    job = (await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 60})).json()
    for _ in range(3):
        await complete_run(operator, job["number"])
    await start_crawl(api)

    first = (await api.get("/api/v1/runs?limit=2")).json()
    second = (await api.get(f"/api/v1/runs?limit=2&after={first['next']}")).json()

    numbers = [each["run"] for each in first["items"] + second["items"]]
    assert numbers == sorted(numbers, reverse=True)
    assert (len(numbers), first["total"], first["total_is"], second["next"]) == (4, 4, "exact", None)
    for query, total in (
        ("status=completed", 3),
        ("status=running", 1),
        ("source=blatt", 3),
        ("started_by=operator", 1),
        (f"job={job['id']}", 3),
    ):
        assert (await api.get(f"/api/v1/runs?{query}")).json()["total"] == total, query


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("status=asleep", 400),
        ("after=nonsense", 400),
        ("job=blatt", 400),
        ("source=nobody", 404),
        ("started_by=me", 422),
        ("after=abc&offset=3", 400),
    ],
)
async def test_a_wrong_filter_is_refused(api, query, status):
    assert (await api.get(f"/api/v1/runs?{query}")).status_code == status


@pytest.mark.parametrize(("path", "status"), [("77", 404), ("last", 404), ("x", 422)])
async def test_an_unknown_run_is_not_found(api, path, status):
    assert (await api.get(f"/api/v1/runs/{path}")).status_code == status


async def test_the_runs_of_a_source_are_counted(api):
    await api.post("/api/v1/runs", {"urls": ["http://a.test/"]})

    found = await api.get("/api/v1/runs/stats", params={"source": "http://a.test/"})
    assert (found.status_code, found.json()["total"], found.json()["failed"]) == (200, 1, 0)
    assert (await api.get("/api/v1/runs/stats", params={"source": "nobody"})).status_code == 404
    assert (await api.get("/api/v1/runs/stats")).status_code == 422
    assert (await api.get("/api/v1/runs/stats?source=a", role="anonymous")).status_code == 401
