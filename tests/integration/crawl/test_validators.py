"""A page looked at again: validators are sent back, a 304 changes nothing, a new text is a new version."""

import pytest
from tests.support.prose import prose
from tests.support.site import Answer, html, redirect
from tests.support.worker import paths

from outrider.documents.packing import unpack

TAG, DATE = '"v1"', "Mon, 02 Mar 2026 10:00:00 GMT"
PAGE = Answer(
    body="<title>One</title><p>First words.</p>",
    headers={"Content-Type": "text/html", "ETag": TAG, "Last-Modified": DATE},
)


async def _kept(crawl, url):
    """The document; but for its signature, which is made in the background whenever there is time."""
    return {name: value for name, value in (await crawl.document(url)).items() if name != "signature"}


async def test_validators_of_a_page_are_stored(crawl, serve):
    site = serve({"/": PAGE})
    await crawl.seed(site.url)
    await crawl.run()

    document = await crawl.document(site.url)
    assert (document["etag"], document["last_modified"], document["title"]) == (TAG, DATE, "One")


async def test_304_keeps_what_we_have(crawl, serve):
    site = serve({"/": [PAGE, Answer(status=304)]})
    await crawl.seed(site.url)
    await crawl.run()
    before = await _kept(crawl, site.url)
    await crawl.operator.requeue(site.url)
    await crawl.run()
    after = await _kept(crawl, site.url)

    asked = [one for one in site.log() if one.path == "/"][1]
    assert (asked.headers["If-None-Match"], asked.headers["If-Modified-Since"]) == (TAG, DATE)
    assert after.pop("fetched_at") > before.pop("fetched_at")
    assert after == before
    row = await crawl.row(site.url)
    assert (row["status"], row["fetch_count"], row["http_status"], row["retry_count"]) == (
        "fetched",
        2,
        304,
        0,
    )
    assert row["content_hash"] == before["content_hash"].hex()


async def test_a_304_that_no_validators_asked_for_is_no_page(crawl, serve):
    """Nothing is stored that it could confirm, so it must not count as a page."""
    site = serve({"/": Answer(status=304)})
    await crawl.seed(site.url)
    await crawl.run()

    assert await crawl.states() == {site.url: "dead: unexpected_status_304"}
    assert "pages" not in (await crawl.operator.totals()).others


async def test_a_304_without_validators_keeps_a_page_that_is_stored(crawl, serve):
    site = serve({"/": [html("One"), Answer(status=304)]})
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert await crawl.states() == {site.url: "fetched"}
    assert (await crawl.operator.totals()).others["pages"] == 2


@pytest.mark.parametrize("follow", [True, False])
async def test_a_page_that_moved_is_asked_with_its_validators_and_its_new_address_without(
    crawl, serve, follow
):
    crawl.set("fetch", follow_redirects=follow)
    site = serve({"/": [PAGE, redirect("/new")], "/new": html("elsewhere")})
    await crawl.seed(site.url)
    await crawl.run()
    for _ in range(2):  # on a second day the move is believed
        await crawl.pass_days(1)
        await crawl.operator.requeue(site.url)
        await crawl.run()

    validators = {"If-None-Match": TAG, "If-Modified-Since": DATE}
    sent = [
        {name: one.headers.get(name) for name in validators}
        for one in site.log()
        if one.path != "/robots.txt"
    ]
    nothing = dict.fromkeys(validators)
    assert sent == [nothing, validators, validators, nothing][: 4 if follow else 3]


async def test_a_first_visit_sends_no_validators(crawl, serve):
    site = serve({"/": PAGE})
    await crawl.seed(site.url)
    await crawl.run()

    [asked] = [one for one in site.log() if one.path == "/"]
    assert not {"If-None-Match", "If-Modified-Since"} & set(asked.headers)


async def test_a_changed_page_keeps_its_past(crawl, serve):
    second = Answer(body="<p>Other words.</p>", headers={"Content-Type": "text/html", "ETag": '"v2"'})
    site = serve({"/": [PAGE, second]})
    await crawl.seed(site.url)
    await crawl.run()
    first = await crawl.document(site.url)
    await crawl.operator.requeue(site.url)
    await crawl.run()

    document = await crawl.document(site.url)
    [old] = await crawl.operator.run(lambda db: db.fetch("SELECT * FROM document_version"))
    assert (document["versions"], document["etag"], document["last_modified"]) == (2, '"v2"', None)
    assert (old["version"], old["content_hash"], old["title"]) == (1, first["content_hash"], "One")
    assert (await crawl.operator.totals()).others["documents"] == 1


async def test_an_unchanged_page_is_no_new_version(crawl, serve):
    site = serve({"/": html("<p>The same words.</p>")})
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert len(paths(site)) == 2
    document = await crawl.document(site.url)
    assert document["versions"] == 1
    assert document["fetched_at"] > document["changed_at"]
    assert unpack(document["text"]) == "The same words."


@pytest.mark.parametrize("policy", [{}, {"main_text": True}], ids=["every text", "main text"])
async def test_the_same_words_in_other_lines_are_no_new_version(crawl, serve, policy):
    """EXT-17."""
    words = prose("The same words again", 120).split()
    one = f"<main><h1>News</h1><p>{' '.join(words)}</p></main>"
    other = "<main>\n\t<h1>\n News</h1>\n<div><p>{}</p>\n<p>\n{}</p></div></main>".format(
        "\n      ".join(words[:60]), "&nbsp; ".join(words[60:])
    )
    site = serve({"/": [html(one), html(other)]})
    await crawl.seed(site.url, **policy)
    await crawl.run()
    first = await crawl.document(site.url)
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert len(paths(site)) == 2
    document = await crawl.document(site.url)
    assert (document["versions"], document["content_hash"]) == (1, first["content_hash"])
    assert document["text_id"] == first["text_id"], "the text is not stored again"


@pytest.mark.parametrize("again", [Answer(status=404), Answer(status=500)], ids=["gone", "broken"])
async def test_a_page_that_fails_later_keeps_its_document(crawl, serve, again):
    site = serve({"/": [PAGE, again]})
    await crawl.seed(site.url)
    await crawl.run()
    before = await _kept(crawl, site.url)
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert await _kept(crawl, site.url) == before
