"""`/api/v1/pages`: stored pages, their texts, versions and links; removal and replay by an administrator."""

import pytest
from tests.support.crawled import GONE, HOME, NEWS, OLD, WAITING, id_of
from tests.support.make import completion, draft, keep_documents


async def _urls(api, query=""):
    answer = await api.get(f"/api/v1/pages{query}")
    assert answer.status_code == 200, answer.text
    return {item["url"] for item in answer.json()["items"]}


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", {HOME, NEWS}),
        ("?domain=site.test", {HOME, NEWS}),
        ("?domain=other.test", set()),
        ("?source_id=adhoc&status=200", {HOME, NEWS}),
        ("?status=404", set()),
        ("?content_type=text/", {HOME}),
        ("?language=de", {NEWS}),
        ("?page_type=article", set()),
        ("?since=2020-01-01&until=2100-01-01T00:00:00Z", {HOME, NEWS}),
        ("?until=2020-01-01", set()),
        ("?since=2100-01-01", set()),
        ("?title=brid", {HOME}),
        ("?title=BRIDGE harbour", {HOME}),
        ("?title=bridge storm", set()),
        ("?title=ridge", set()),
    ],
)
async def test_each_filter_leaves_what_it_names(api, crawl, query, left):
    assert await _urls(api, query) == left


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("title=%3F%21", 400),
        ("since=yesterday", 422),
        ("since=2026-99-99", 422),
        ("status=99", 422),
        ("source_id=nobody", 404),
        ("after=W10", 400),
        ("search=x", 400),
    ],
)
async def test_a_wrong_parameter_is_refused_with_a_sentence(api, query, status):
    answer = await api.get(f"/api/v1/pages?{query}")

    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)


async def test_the_newest_pages_come_first_and_each_once(api, operator):
    urls = [f"http://p.test/{n}" for n in range(7)]
    for url in urls:
        await operator.queue(url)
        await operator.run(lambda db, url=url: keep_documents(db, [draft(url)]))

    seen, after = [], "start"
    while after:
        page = (await api.get(f"/api/v1/pages?limit=3&after={after}")).json()
        seen += [item["url"] for item in page["items"]]
        after = page["next"]

    assert seen == urls[::-1]
    assert (page["total"], page["total_is"]) == (7, "exact")


async def test_one_page_has_its_metadata_and_outgoing_links(api, crawl):
    page = (await api.get(f"/api/v1/pages/{id_of(HOME)}")).json()
    meta = {"og_type": "article"}
    told = draft(NEWS, title="Storm", author="A. Writer", language="de", meta=meta, noindex=True)
    await crawl.run(lambda db: keep_documents(db, [told]))
    news = (await api.get(f"/api/v1/pages/{id_of(NEWS)}")).json()

    assert (news["author"], news["language"], news["metadata"]) == ("A. Writer", "de", meta)
    assert (news["indexed"], news["links"]) == (False, [])
    assert (page["title"], page["status"], page["indexed"]) == ("Harbour bridge opens", "fetched", True)
    assert [(link["url"], link["nofollow"]) for link in page["links"]] == [
        (NEWS, False), (OLD, True), (WAITING, False),
    ]  # fmt: skip
    assert page["links"][0]["id"] == id_of(NEWS)


@pytest.mark.parametrize(("url", "says"), [(OLD, f"redirects to {NEWS}"), (GONE, "no page of it is stored")])
async def test_a_url_without_a_page_says_why(api, crawl, url, says):
    answer = await api.get(f"/api/v1/pages/{id_of(url)}")

    assert (answer.status_code, says in answer.json()["error"]) == (404, True)


async def test_versions_texts_and_their_difference(api, crawl):
    await crawl.run(
        lambda db: keep_documents(db, [draft(NEWS, "The storm is over.", title="After the storm")])
    )
    base = f"/api/v1/pages/{id_of(NEWS)}"

    versions = (await api.get(f"{base}/versions")).json()
    diff = (await api.get(f"{base}/diff?from=1&to=2")).json()

    assert [each["number"] for each in versions["versions"]] == [2, 1]
    assert (await api.get(f"{base}/text")).json()["text"] == "The storm is over."
    assert "All there is to read" in (await api.get(f"{base}/text?version=1")).json()["text"]
    assert (diff["older"]["number"], diff["newer"]["number"]) == (1, 2)
    assert (await api.get(f"{base}/diff")).json() == diff
    assert (await api.get(f"{base}/text?version=9")).status_code == 404
    assert (await api.get(f"{base}/diff?from=0")).status_code == 422
    assert (await api.get(f"/api/v1/pages/{id_of(HOME)}/diff")).status_code == 404


async def test_pages_that_link_to_a_page_are_found(api, crawl):
    links = (await api.get(f"/api/v1/pages/{id_of(NEWS)}/incoming-links")).json()
    none = (await api.get(f"/api/v1/pages/{id_of(GONE)}/incoming-links")).json()

    assert [(link["url"], link["nofollow"]) for link in links["items"]] == [(HOME, False)]
    assert (links["total_is"], links["next"], none["items"]) == ("exact", None, [])


async def test_the_search_for_links_goes_on_where_it_stopped(api, crawl, monkeypatch):
    monkeypatch.setattr("outrider.documents.links.PAGES_AT_ONCE", 1)
    path, seen, after = f"/api/v1/pages/{id_of(NEWS)}/incoming-links", [], "start"

    while after:
        part = (await api.get(f"{path}?after={after}")).json()
        seen += [link["url"] for link in part["items"]]
        after = part["next"]

    assert seen == [HOME]


async def test_removed_pages_leave_their_urls_known_and_the_counts_right(api, crawl):
    counted = await api.call("DELETE", "/api/v1/admin/pages?domain=site.test&content_type=text/&dry_run=true")
    assert counted.json() == {"selected": 1, "changed": 0, "dry_run": True}

    removed = await api.call("DELETE", "/api/v1/admin/pages?domain=site.test&content_type=text/")

    assert removed.json() == {"selected": 1, "changed": 1, "dry_run": False}
    assert await _urls(api) == {NEWS}
    assert await crawl.state(HOME) == "fetched"
    assert (await crawl.totals()).others["documents"] == 1


async def test_removing_every_page_needs_confirmation(api, crawl):
    assert (await api.call("DELETE", "/api/v1/admin/pages")).status_code == 400
    assert (await api.call("DELETE", "/api/v1/admin/pages?dry_run=true")).json()["selected"] == 2
    assert (await api.call("DELETE", "/api/v1/admin/pages?confirm=true")).json()["changed"] == 2
    assert await _urls(api) == set()


async def test_a_copy_takes_over_the_text_of_a_removed_page(api, operator):
    first, *copies = [f"http://{name}.test/" for name in ("original", "copy", "copy2")]
    text = "The same words on three pages, enough of them to be compared with one another."
    for url in (first, *copies):
        await operator.queue(url)
        await operator.complete(completion(url))
        await operator.run(lambda db, url=url: keep_documents(db, [draft(url, text)]))

    await api.call("DELETE", "/api/v1/admin/pages?domain=original.test")

    for url in copies:
        assert (await api.get(f"/api/v1/pages/{id_of(url)}/text")).json()["text"] == text
    of = {(await api.get(f"/api/v1/pages/{id_of(url)}")).json()["duplicate_of"] for url in copies}
    assert None in of
    assert of - {None} <= set(copies)


async def test_pages_are_replayed_by_filter(api, crawl):
    body = {"start_date": "2020-01-01", "end_date": "2100-01-01", "domain": "site.test", "priority": 9}

    counted = await api.post("/api/v1/admin/pages/replay", body | {"dry_run": True})
    assert (counted.json()["selected"], await crawl.state(HOME)) == (2, "fetched")
    for others in ({"start_date": "2099-01-01"}, {"end_date": "2020-01-02"}, {"domain": "other.test"}):
        assert (await api.post("/api/v1/admin/pages/replay", body | others)).json()["selected"] == 0, others

    replayed = await api.post("/api/v1/admin/pages/replay", body)

    assert replayed.json() == {"selected": 2, "changed": 2, "dry_run": False}
    assert (await crawl.state(HOME), (await crawl.row(HOME))["prio"]) == ("pending", 9)
    assert (await api.post("/api/v1/admin/pages/replay", body)).json()["changed"] == 0
    assert (await api.post("/api/v1/admin/pages/replay", {})).status_code == 400


@pytest.mark.parametrize("path", ["", f"/{id_of(HOME)}", f"/{id_of(HOME)}/text", f"/{id_of(HOME)}/versions",
                                  f"/{id_of(HOME)}/diff", f"/{id_of(HOME)}/incoming-links"])  # fmt: skip
async def test_only_users_may_read(api, path):
    assert (await api.get(f"/api/v1/pages{path}", role="anonymous")).status_code == 401


@pytest.mark.parametrize(("method", "path"), [("DELETE", "?confirm=true"), ("POST", "/replay")])
async def test_only_administrators_may_change(api, crawl, method, path):
    for role, status in (("anonymous", 401), ("user", 403)):
        answer = await api.call(method, f"/api/v1/admin/pages{path}", role, json={"domain": "site.test"})
        assert answer.status_code == status
    assert await _urls(api) == {HOME, NEWS}
