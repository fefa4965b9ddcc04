"""`/api/v1/frontier`: submit, retry, remove, clear and recover."""

from datetime import UTC, datetime

import pytest
from tests.support.crawled import GONE, HOME, LOOP, NEWS, OLD, WAITING, id_of

from outrider.machine import machine_id

NEW = "https://new.test/a"


async def test_a_url_is_submitted_once(api, operator):
    first = await api.post("/api/v1/frontier/submit", {"url": "https://NEW.test/a#b", "priority": 3})
    higher = await api.post("/api/v1/frontier", {"url": NEW, "priority": 8})
    again = await api.post("/api/v1/frontier/submit", {"url": NEW, "priority": 8, "source_id": "adhoc"})

    assert [each.status_code for each in (first, higher, again)] == [201, 201, 201]
    assert [each.json()["result"] for each in (first, higher, again)] == ["inserted", "updated", "duplicate"]
    assert (first.json()["url"], first.json()["id"]) == (NEW, id_of(NEW))
    assert (await operator.row(NEW))["prio"] == 8


async def test_a_url_keeps_the_origin_that_was_given(api, operator):
    await api.post("/api/v1/frontier/submit", {"url": NEW, "origin": "sitemap"})

    assert (await api.get("/api/v1/frontier?origin=sitemap")).json()["total"] == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"url": "javascript:alert(1)"}, 400),
        ({"url": NEW, "source_id": "nobody"}, 404),
        ({"url": NEW, "priority": 11}, 422),
        ({"url": NEW, "colour": "red"}, 422),
        ({}, 422),
    ],
)
async def test_a_wrong_submission_is_refused(api, operator, body, status):
    answer = await api.post("/api/v1/frontier/submit", body)

    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)
    assert (await operator.totals()).known == 0


async def test_each_url_of_a_batch_has_its_result(api, operator):
    await operator.queue(HOME, priority=9)
    urls = [HOME, NEW, "no address", NEW + "#again"]

    source = await operator.new_source("paper")

    batch = (await api.post("/api/v1/frontier/submit/bulk", {"urls": urls, "source_id": "paper"})).json()

    assert [each["result"] for each in batch["results"]] == ["duplicate", "inserted", "invalid", "duplicate"]
    assert (batch["inserted"], batch["updated"], batch["duplicate"], batch["invalid"]) == (1, 0, 2, 1)
    assert "no address" in batch["results"][2]["error"]
    assert await operator.state(NEW) == "pending"
    assert (await operator.row(NEW))["source_id"] == source


@pytest.mark.parametrize("urls", [[], [NEW] * 10_001, [5]])
async def test_a_batch_has_bounds(api, urls):
    assert (await api.post("/api/v1/frontier/submit/bulk", {"urls": urls})).status_code == 422


async def test_the_older_path_takes_one_url_or_a_list(api, operator):
    one = await api.post("/api/frontier/add", {"url": NEW})
    many = await api.post("/api/frontier/add", {"urls": [NEW, HOME]})
    both = await api.post("/api/frontier/add", {"url": NEW, "urls": [HOME]})

    assert (one.json()["inserted"], many.json()["inserted"], both.status_code) == (1, 1, 422)
    assert ((await operator.row(NEW))["prio"], (await operator.row(HOME))["prio"]) == (5, 5)


async def test_seeds_have_the_highest_priority(api, operator):
    answer = await api.post("/api/v1/frontier/seed", {"urls": [NEW]})

    assert (answer.status_code, (await operator.row(NEW))["prio"]) == (201, 10)


async def test_only_a_dead_url_can_be_retried(api, crawl):
    queued = await api.post(f"/api/v1/frontier/{id_of(GONE)}/retry")
    again = await api.post(f"/api/v1/frontier/{id_of(GONE)}/retry")

    assert (queued.status_code, queued.json()["entry"]["status"]) == (200, "pending")
    assert (await crawl.row(GONE))["attempts"] == 0
    assert queued.json()["entry"]["last_error"] is None
    assert datetime.fromisoformat(queued.json()["entry"]["next_fetch_at"]) <= datetime.now(UTC)
    assert (again.status_code, "pending" in again.json()["error"]) == (409, True)
    assert (await api.post(f"/api/v1/frontier/1:{'0' * 32}/retry")).status_code == 404


async def test_dead_urls_are_retried_by_filter_and_counted_before(api, crawl):
    async def retry(**filters):
        return await api.post("/api/v1/frontier/retry", filters)

    counted = await retry(last_error="redirect_loop", dry_run=True)
    assert (counted.json(), await crawl.state(LOOP)) == ({"urls": 1, "dry_run": True}, "dead")

    assert (await retry(last_error="redirect_loop", host="site.test")).json()["urls"] == 0
    assert (await retry(last_error="redirect_loop", source_id="adhoc")).json()["urls"] == 1
    assert (await crawl.state(LOOP), await crawl.state(GONE)) == ("pending", "dead")
    assert (await retry(host="site.test")).json()["urls"] == 1
    assert (await retry()).status_code == 400


async def test_a_removed_url_is_gone_from_rows_counts_and_pages(api, crawl):
    answer = await api.call("DELETE", f"/api/v1/frontier/{id_of(HOME)}")
    totals = await crawl.totals()

    assert (answer.status_code, answer.content) == (204, b"")
    assert (await api.get(f"/api/v1/frontier/{id_of(HOME)}")).status_code == 404
    assert (await api.get(f"/api/v1/pages/{id_of(HOME)}")).status_code == 404
    assert (totals.fetched, totals.others["documents"]) == (1, 1)
    assert (await api.call("DELETE", f"/api/v1/frontier/{id_of(HOME)}")).status_code == 404


async def test_removing_a_dead_url_corrects_the_count_of_its_reason(api, crawl):
    await api.call("DELETE", f"/api/v1/frontier/{id_of(GONE)}")

    assert (await api.get("/api/v1/frontier/stats")).json()["dead_by_reason"] == {"redirect_loop": 1}


async def test_a_url_that_a_worker_holds_is_not_removed(api, operator):
    await operator.queue(NEW)
    await operator.claim_one()

    answer = await api.call("DELETE", f"/api/v1/frontier/{id_of(NEW)}")

    assert (answer.status_code, await operator.state(NEW)) == (409, "pending")


async def test_the_queue_is_cleared_only_with_confirmation(api, crawl):
    refused = await api.call("DELETE", "/api/v1/frontier")
    counted = await api.call("DELETE", "/api/v1/frontier?dry_run=true")
    other = await api.call("DELETE", "/api/v1/frontier?host=site.test&confirm=true")
    assert (refused.status_code, "1 pages" in refused.json()["error"]) == (400, True)
    assert (counted.json()["urls"], other.json()["urls"]) == (1, 0)
    assert await crawl.state(WAITING) == "pending"

    cleared = await api.call("DELETE", "/api/v1/frontier?confirm=true")

    assert cleared.json() == {"urls": 1, "dry_run": False}
    assert {item["url"] for item in (await api.get("/api/v1/frontier")).json()["items"]} == {
        HOME, NEWS, OLD, GONE, LOOP,
    }  # fmt: skip


async def test_hosts_without_a_due_time_are_recovered(api, crawl):
    await crawl.set_host("other.test", due_at="NULL")

    answer = await api.post("/api/v1/frontier/recover")

    assert answer.json() == {"recovered": 1, "workers": 0}
    assert (await crawl.host("other.test"))["due_at"] is not None


async def test_hosts_of_a_worker_that_is_gone_are_recovered(api, operator):
    await operator.queue(NEW)
    await operator.claim_one()
    await operator.run(lambda db: db.execute("UPDATE worker SET pid = 999999999, machine = $1", machine_id()))

    answer = await api.post("/api/v1/frontier/recover")

    assert answer.json() == {"recovered": 1, "workers": 1}
    assert (await api.post("/api/v1/frontier/recover")).json() == {"recovered": 0, "workers": 0}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v1/frontier/submit", {"url": NEW}),
        ("POST", "/api/v1/frontier", {"url": NEW}),
        ("POST", "/api/v1/frontier/submit/bulk", {"urls": [NEW]}),
        ("POST", "/api/frontier/add", {"url": NEW}),
        ("POST", "/api/v1/frontier/seed", {"urls": [NEW]}),
        ("POST", "/api/v1/frontier/recover", None),
        ("POST", "/api/v1/frontier/retry", {"last_error": "not_found"}),
        ("POST", f"/api/v1/frontier/{id_of(GONE)}/retry", None),
        ("DELETE", f"/api/v1/frontier/{id_of(GONE)}", None),
        ("DELETE", "/api/v1/frontier?confirm=true", None),
    ],
)
async def test_only_administrators_may_change(api, crawl, method, path, body):
    before = await crawl.totals()

    for role, status in (("anonymous", 401), ("user", 403)):
        assert (await api.call(method, path, role, json=body)).status_code == status
    assert await crawl.totals() == before
