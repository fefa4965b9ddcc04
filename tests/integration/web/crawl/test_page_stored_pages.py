"""`/pages`: the list of stored pages, and one with its text, links and versions (UI-04)."""

import pytest
from tests.support.crawled import GONE, HOME, NEWS, id_of
from tests.support.make import draft, keep_documents

HARBOUR, STORM = "Harbour bridge opens", "Winter storm"


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", {HARBOUR, STORM}),
        ("title=harb", {HARBOUR}),
        ("host=site.test&language=de", {STORM}),
        ("host=other.test", set()),
        ("content_type=text/&source=&since=", {HARBOUR}),
        ("since=2099-01-01", set()),
        ("status=404", set()),
        ("status=200&page_type=article", {STORM}),
        ("page_type=listing", set()),
        ("source=home", {HARBOUR}),
    ],
)
async def test_each_filter_leaves_what_it_names(api, crawl, pool, query, left):
    source = await crawl.new_source("home")
    await pool.execute("UPDATE document SET page_type = 'article' WHERE title = $1", STORM)
    await pool.execute("UPDATE document SET source_id = $2 WHERE title = $1", HARBOUR, source)

    page = await api.get(f"/pages?{query}")

    assert page.status_code == 200
    assert {title for title in (HARBOUR, STORM) if title in page.text} == left


async def test_the_next_page_has_the_others(api, crawl):
    first = await api.get("/pages?limit=1")
    path = first.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    second = await api.get(path)

    assert (HARBOUR in first.text) != (HARBOUR in second.text)
    assert 'rel="next"' not in second.text


async def test_an_empty_list_says_what_to_do_next(api):
    assert "No page is stored yet" in (await api.get("/pages")).text
    assert "No page matches" in (await api.get("/pages?language=de")).text
    assert "There is no source" in (await api.get("/pages?source=nobody")).text


async def test_a_page_with_its_text_links_and_metadata(api, crawl):
    await crawl.run(lambda db: keep_documents(db, [draft(NEWS, "Snow fell all night.", title=STORM)]))
    text = (await api.get(f"/pages/{id_of(NEWS)}")).text
    links = (await api.get(f"/pages/{id_of(HOME)}?tab=links")).text
    incoming = (await api.get(f"/pages/{id_of(NEWS)}?tab=incoming")).text

    assert "Snow fell all night." in text
    assert "http://other.test/later" in links
    assert "nofollow" in links
    assert HARBOUR in incoming
    assert "text/html" in (await api.get(f"/pages/{id_of(HOME)}?tab=metadata")).text


async def test_versions_of_a_page(api, crawl):
    for text in ("the old text", "the new text", "the newest text"):
        await crawl.run(lambda db, text=text: keep_documents(db, [draft(HOME, text)]))
    versions = (await api.get(f"/pages/{id_of(HOME)}?tab=versions")).text
    number = 1 + versions.count('visually-hidden"> of version') - 1

    assert number >= 3
    assert "the new text" in (await api.get(f"/pages/{id_of(HOME)}?version={number - 1}")).text
    diff = (await api.get(f"/pages/{id_of(HOME)}/diff")).text
    assert "<del>new</del>" in diff
    assert "<ins>newest</ins>" in diff
    chosen = (await api.get(f"/pages/{id_of(HOME)}/diff?from={number - 2}&to={number - 1}")).text
    assert "<del>old</del>" in chosen
    assert "<ins>new</ins>" in chosen


async def test_a_page_that_is_not_stored_says_why(api, crawl):
    answer = await api.get(f"/pages/{id_of(GONE)}")

    assert answer.status_code == 404
    assert "no page of it is stored" in answer.text
    assert (await api.get("/pages/nonsense")).status_code in (404, 422)
    assert (await api.get("/pages", role="anonymous")).status_code == 303
