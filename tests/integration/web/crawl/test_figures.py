"""`/api/v1/stats`, the storage report and the redirects that workers met."""

from tests.support.crawled import LOOP, NEWS, OLD, id_of
from tests.support.make import completion

from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.urls import key_of

REDUCED = {
    "pages", "documents", "requests", "bytes", "pending", "fetched", "dead", "aliases", "pages_per_s",
    "success_ratio", "workers", "crawled_today", "indexed_today",
}  # fmt: skip


async def test_everyone_sees_totals_and_only_users_see_more(api, crawl):
    public = (await api.get("/api/v1/stats", role="anonymous")).json()
    full = (await api.get("/api/v1/stats")).json()

    assert set(public) == REDUCED
    assert (public["fetched"], public["dead"], public["documents"], public["indexed_today"]) == (2, 2, 2, 2)
    assert set(full) == REDUCED | {"pool_health", "database"}
    assert full["database"]["states"] == {"pending": 1, "fetched": 2, "dead": 2, "aliases": 1}
    assert full["database"]["sources"] is None


async def test_the_entries_of_each_source_are_counted_for_users_who_ask(api, crawl):
    await crawl.queue("http://elsewhere.test/", source_id=await crawl.new_source("elsewhere"))
    path = "/api/v1/stats?by_source=true"

    sources = (await api.get(path)).json()["database"]["sources"]

    assert {name: states["pending"] for name, states in sources.items()} == {"adhoc": 1, "elsewhere": 1}
    assert set((await api.get(path, role="anonymous")).json()) == REDUCED


async def test_the_success_ratio_and_the_pages_of_today_come_from_the_requests(api, crawl):
    counts = {(1, "status.200"): 6, (1, "status.304"): 1, (1, "status.404"): 2, (1, "failure.timeout"): 1}
    await crawl.run(lambda db: crawl.store.add_counts(db, counts))
    await crawl.run(
        lambda db: db.execute(
            "INSERT INTO fetch_log (at, host_id, url_hash, elapsed_ms, wire_bytes, outcome) SELECT at, 1, "
            "gen_random_uuid(), 1, 1, o FROM (VALUES (now(), 'fetched'), (now(), 'timeout'), "
            "(now() - interval '2 days', 'fetched')) AS n (at, o)"
        )
    )

    stats = (await api.get("/api/v1/stats", role="anonymous")).json()

    assert (stats["success_ratio"], stats["crawled_today"]) == (0.7, 1)


async def test_the_storage_report_has_sizes_and_rows_by_state(api, crawl):
    report = (await api.get("/api/v1/admin/storage-report", role="admin")).json()

    tables = {table["name"]: table for table in report["tables"]}
    assert report["urls_by_state"] == {"pending": 1, "fetched": 2, "dead": 2, "aliases": 1}
    assert tables["url"]["total_bytes"] == tables["url"]["table_bytes"] + tables["url"]["index_bytes"] > 0
    assert report["documents"]["documents"] == 2
    assert [table["total_bytes"] for table in report["tables"]] == sorted(
        (table["total_bytes"] for table in report["tables"]), reverse=True
    )
    assert "fetch_log_default" not in tables
    assert report["database_bytes"] > tables["url"]["total_bytes"]


async def test_only_administrators_see_the_storage_report(api):
    for role, status in (("anonymous", 401), ("user", 403)):
        assert (await api.get("/api/v1/admin/storage-report", role=role)).status_code == status


async def test_redirects_are_listed_by_kind_and_host(api, crawl):
    older = "http://site.test/older"
    await crawl.queue(older)
    await crawl.complete(completion(older, status=302, moved_to=key_of(OLD)))
    hops = [HopNote(key_of(older), older, NEWS, 301, 0.0), HopNote(key_of(older), older, OLD, 302, 1.0)]
    await crawl.run(lambda db: note_hops(db, hops))

    async def items(query=""):
        return (await api.get(f"/api/v1/redirect-chains{query}")).json()["items"]

    async def listed(query=""):
        return {item["url"]: item["chain"] for item in await items(query)}

    shown = {item["url"]: item for item in await items()}
    facts = {url: (item["is_permanent"], item["is_loop"], item["times"]) for url, item in shown.items()}
    assert facts == {OLD: (True, False, 1), older: (False, False, 2), LOOP: (False, True, 1)}
    assert sorted(shown[older]["statuses"]) == [301, 302]
    assert await listed() == {OLD: [NEWS], older: [OLD, NEWS], LOOP: [LOOP]}
    assert await listed("?kind=chain") == {older: [OLD, NEWS]}
    assert await listed("?kind=permanent") == {OLD: [NEWS]}
    assert set(await listed("?kind=loop")) == {LOOP}
    assert set(await listed("?host=other.test")) == {LOOP}
    assert await listed("?kind=loop&host=site.test") == {}


async def test_redirects_are_read_to_the_end_part_by_part(api, crawl, monkeypatch):
    monkeypatch.setattr("outrider.frontier.redirect_list.EXAMINED_AT_ONCE", 1)

    async def read(kind):
        seen, after = [], "start"
        while after:
            part = (await api.get(f"/api/v1/redirect-chains?{kind}after={after}")).json()
            seen += [item["id"] for item in part["items"]]
            after = part["next"]
        return sorted(seen)

    assert await read("") == sorted([id_of(OLD), id_of(LOOP)])
    assert await read("kind=permanent&") == [id_of(OLD)]
    assert (await api.get("/api/v1/redirect-chains?after=nonsense")).status_code == 400
    assert (await api.get("/api/v1/redirect-chains?kind=odd")).status_code == 422
    assert (await api.get("/api/v1/redirect-chains", role="anonymous")).status_code == 401
