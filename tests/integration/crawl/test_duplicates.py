"""The same text under several addresses is kept once; nearly the same is recognised."""

from tests.support.prose import prose
from tests.support.site import html

from outrider.documents.store import DocumentStore
from outrider.workers.comparison import compare_some

LONG = prose("A story told twice", 200)


def page(text: str) -> object:
    return html(f"<main><p>{text}</p></main>")


async def _duplicates(crawl, site, *names):
    """Which of the pages refers to which, by their paths."""
    rows = await crawl.operator.run(
        lambda db: db.fetch(
            "SELECT u.url, o.url AS original, d.near_duplicate, d.text_id IS NULL AS is_empty "
            "FROM document d JOIN url u USING (host_id, url_hash) "
            "LEFT JOIN url o ON o.host_id = d.duplicate_host_id AND o.url_hash = d.duplicate_hash "
            "ORDER BY u.url"
        )
    )
    assert sorted(row["url"] for row in rows) == sorted(site.url + name for name in names)
    return [row for row in rows if row["original"]]


async def test_a_text_known_already_is_kept_once(crawl, serve):
    site = serve({"/a": page(LONG), "/b": page(LONG)})
    await crawl.seed(site.url + "a")
    await crawl.run()
    await crawl.seed(site.url + "b")
    await crawl.run()

    [copy] = await _duplicates(crawl, site, "a", "b")
    assert (copy["url"], copy["original"]) == (site.url + "b", site.url + "a")
    assert (copy["is_empty"], copy["near_duplicate"]) == (True, False)
    assert (await crawl.row(site.url + "b"))["status"] == "fetched"
    assert (await crawl.operator.totals()).others["duplicates"] == 1


async def test_equal_texts_within_one_batch_are_kept_once(crawl, serve):
    site = serve({"/a": page(LONG), "/b": page(LONG), "/c": page(LONG)})
    await crawl.seed(*(site.url + name for name in "abc"))
    await crawl.run()

    copies = await _duplicates(crawl, site, "a", "b", "c")
    assert len(copies) == 2
    assert len({copy["original"] for copy in copies}) == 1


async def test_short_and_empty_pages_are_no_duplicates(crawl, serve):
    site = serve({"/a": page("Not found."), "/b": page("Not found."), "/c": html(""), "/d": html("")})
    for names in ("ac", "bd"):  # written by two batches: the second finds what the first has stored
        await crawl.seed(*(site.url + name for name in names))
        await crawl.run()

    assert await _duplicates(crawl, site, "a", "b", "c", "d") == []


async def test_nearly_the_same_text_is_recognised_off_the_hot_path(crawl, serve):
    words = LONG.split()
    nearly = " ".join([*words[:100], "changed", *words[101:]])
    site = serve({"/a": page(LONG), "/b": page(nearly), "/c": page(prose("Something else", 200))})
    for name in "abc":
        await crawl.seed(site.url + name)
        await crawl.run()
    operator, store = crawl.operator, DocumentStore()
    while (await operator.run(lambda db: compare_some(db, store, operator.store))).signed:
        pass

    [copy] = await _duplicates(crawl, site, "a", "b", "c")
    assert copy["near_duplicate"]
    assert {copy["url"], copy["original"]} == {site.url + "a", site.url + "b"}
    assert not copy["is_empty"], "nearly is not the same: its own words are kept"
    assert (await crawl.operator.totals()).others["near_duplicates"] == 1


async def test_a_duplicate_that_changes_stands_on_its_own(crawl, serve):
    site = serve({"/a": page(LONG), "/b": [page(LONG), page(prose("News", 200))]})
    await crawl.seed(site.url + "a")
    await crawl.run()
    await crawl.seed(site.url + "b")
    await crawl.run()
    await crawl.operator.requeue(site.url + "b")
    await crawl.run()

    assert await _duplicates(crawl, site, "a", "b") == []
