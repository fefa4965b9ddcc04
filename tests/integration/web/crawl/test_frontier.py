"""`/api/v1/frontier`: lists, one entry, and the explanation of a URL."""

import pytest
from tests.support.crawled import GONE, HOME, LOOP, NEWS, OLD, WAITING, id_of

from outrider.urls import key_of
from outrider.worker_registry.store import WorkerRegistry


async def _urls(api, query=""):
    answer = await api.get(f"/api/v1/frontier{query}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"])
    return {item["url"] for item in answer.json()["items"]}


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", {HOME, NEWS, OLD, GONE, LOOP, WAITING}),
        ("?status=dead", {GONE, LOOP}),
        ("?status=fetching", {WAITING}),
        ("?host=OTHER.test", {LOOP, WAITING}),
        ("?source_id=adhoc&status=alias", {OLD}),
        ("?origin=feed", set()),
        ("?kind=page&search=new", {NEWS}),
        ("?last_error=loop", {LOOP}),
    ],
)
async def test_each_filter_leaves_what_it_names(api, crawl, query, left):
    assert await _urls(api, query) == left


async def test_the_list_of_a_source_has_its_urls_and_no_others(api, crawl):
    own = "http://elsewhere.test/"
    await crawl.queue(own, source_id=await crawl.new_source("elsewhere"))

    assert await _urls(api, "?source_id=elsewhere") == {own}
    assert await _urls(api, "?source_id=adhoc") == {HOME, NEWS, OLD, GONE, LOOP, WAITING}


async def test_the_older_path_gives_the_same_list(api, crawl):
    assert (await api.get("/api/frontier/urls")).json() == (await api.get("/api/v1/frontier")).json()


async def test_an_order_can_be_reversed(api, operator):
    for priority, url in enumerate((HOME, NEWS, OLD), 3):
        await operator.queue(url, priority=priority)

    async def order(query):
        return [item["url"] for item in (await api.get(f"/api/v1/frontier?{query}")).json()["items"]]

    assert await order("sort_by=priority") == [OLD, NEWS, HOME]
    assert await order("sort_by=priority&sort_order=asc") == [HOME, NEWS, OLD]
    assert await order("sort_by=created_at&sort_order=asc") == [HOME, NEWS, OLD]
    assert await order("sort_by=next_fetch_at&sort_order=desc") == [OLD, NEWS, HOME]
    assert (await api.get("/api/v1/frontier?sort_by=key&sort_order=desc")).status_code == 400


@pytest.mark.parametrize("order", ["sort_by=key", "sort_by=priority", "sort_by=priority&sort_order=asc"])
async def test_pages_of_the_list_hold_each_url_once(api, crawl, order):
    seen, after = [], "start"
    while after:
        page = (await api.get(f"/api/v1/frontier?{order}&limit=2&after={after}")).json()
        seen += [item["url"] for item in page["items"]]
        after = page["next"]

    assert sorted(seen) == sorted([HOME, NEWS, OLD, GONE, LOOP, WAITING])


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("status=lost", 422),
        ("limit=251", 422),
        ("source_id=nobody", 404),
        ("after=nonsense", 400),
        ("host=%20", 400),
        ("colour=red", 400),
        ("offset=5&after=start", 400),
    ],
)
async def test_a_wrong_parameter_is_refused_with_a_sentence(api, crawl, query, status):
    answer = await api.get(f"/api/v1/frontier?{query}")

    assert answer.status_code == status
    assert answer.json()["error"]


async def test_stats_count_by_state_source_and_reason(api, crawl):
    worker = crawl.store.worker_id
    await crawl.run(lambda db: WorkerRegistry().record_heartbeat(db, worker, {"in_flight": 3}))

    stats = (await api.get("/api/v1/frontier/stats")).json()

    assert (stats["total_pending"], stats["total_fetched"], stats["total_dead"]) == (1, 2, 2)
    assert (stats["total_fetching"], stats["total_failed"], stats["total_aliases"]) == (3, 0, 1)
    assert stats["by_source"]["adhoc"] == {"pending": 1, "fetched": 2, "dead": 2, "aliases": 1}
    assert stats["dead_by_reason"] == {"not_found": 1, "redirect_loop": 1}


async def test_one_entry_has_its_redirects_and_requests(api, crawl):
    key = key_of(OLD)
    await crawl.run(
        lambda db: db.execute(
            "INSERT INTO fetch_log (at, host_id, url_hash, elapsed_ms, wire_bytes, http_status, outcome) "
            "VALUES (now() - interval '1 hour', $1, $2, 9, 1, 500, 'rejected'), "
            "(now(), $1, $2, 9, 1, 301, 'redirected')",
            key.host_id,
            key.hash,
        )
    )
    one = (await api.get(f"/api/v1/frontier/{id_of(OLD)}")).json()

    assert (one["entry"]["url"], one["entry"]["id"]) == (OLD, id_of(OLD))
    assert one["redirect_chain"] == [NEWS]
    assert [hop["to_url"] for hop in one["redirects"]] == [NEWS]
    assert [(each["status"], each["outcome"]) for each in one["recent_fetches"]] == [
        (301, "redirected"), (500, "rejected"),
    ]  # fmt: skip


@pytest.mark.parametrize("id", [f"1:{'0' * 32}", f"{10**18 * 9 + 10**18 - 1}:{'0' * 32}"])
async def test_an_unknown_entry_is_not_found(api, id):
    assert (await api.get(f"/api/v1/frontier/{id}")).status_code == 404


async def test_a_url_is_explained(api, crawl):
    gone = (await api.get("/api/v1/urls/why", params={"url": GONE})).json()
    new = (await api.get("/api/v1/urls/why?url=https://nobody.test/x")).json()

    assert (gone["known"]["state"], gone["known"]["reason"]) == ("dead", "not_found")
    assert gone["conclusion"] == "Dead: not found."
    assert new["known"] is None
    assert (await api.get("/api/v1/urls/why?url=ftp:x")).status_code == 400
    assert (await api.get("/api/v1/urls/why")).status_code == 422


@pytest.mark.parametrize(
    "path", ["frontier", "frontier/stats", f"frontier/1:{'0' * 32}", "urls/why?url=a.test"]
)
async def test_only_users_may_read(api, path):
    assert (await api.get(f"/api/v1/{path}", role="anonymous")).status_code == 401
