"""A page that we have redirects: only a permanent redirect, met again on a later day, retires its address."""

import pytest
from tests.support.site import Answer, html, redirect
from tests.support.worker import Crawl, paths

from outrider.urls import key_of

TAGGED = Answer(body="<p>The article.</p>", headers={"Content-Type": "text/html", "ETag": '"v1"'})


async def ask_again(crawl: Crawl, *urls: str, days: int = 0) -> None:
    await crawl.pass_days(days)
    await crawl.operator.requeue(*urls)
    await crawl.run()


@pytest.mark.parametrize("status", [302, 303, 307])
async def test_a_temporary_redirect_leaves_a_page_as_it_was_however_often_it_is_met(crawl, serve, status):
    away = redirect("/maintenance", status)
    site = serve({"/a": [TAGGED, away, away, away, TAGGED], "/maintenance": html("Back soon.")})
    await crawl.seed(site.url + "a")
    await crawl.run()
    before = await crawl.document(site.url + "a")

    for _ in range(3):
        await ask_again(crawl, site.url + "a", days=1)
        assert await crawl.states() == {site.url + "a": "fetched"}
    kept = await crawl.document(site.url + "a")
    await ask_again(crawl, site.url + "a")

    assert (kept["content_hash"], kept["etag"], kept["versions"]) == (before["content_hash"], '"v1"', 1)
    assert paths(site) == ["/a"] * 5, "what it leads to for a while is no page of ours"
    assert [one.headers.get("If-None-Match") for one in site.log() if one.path == "/a"] == [
        None,
        *['"v1"'] * 4,
    ]
    totals = await crawl.operator.totals()
    assert (totals.fetched, totals.pending, totals.aliases, totals.dead) == (1, 0, 0, 0)


@pytest.mark.parametrize("status", [301, 308])
async def test_a_permanent_redirect_is_believed_on_a_later_day(crawl, serve, status):
    site = serve({"/a": [TAGGED, redirect("/b", status)], "/b": html("The article, moved.")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    await ask_again(crawl, site.url + "a", days=7)
    first_day = await crawl.states()
    await ask_again(crawl, site.url + "a")
    same_day = await crawl.states()
    await ask_again(crawl, site.url + "a", days=1)

    assert first_day == same_day == {site.url + "a": "fetched"}
    assert await crawl.states() == {site.url + "a": "alias", site.url + "b": "fetched"}
    assert (await crawl.row(site.url + "a"))["redirects_to"] == site.url + "b"


async def test_a_page_that_answered_in_between_is_not_believed_to_have_moved(crawl, serve):
    away = redirect("/b")
    site = serve({"/a": [TAGGED, away, TAGGED, away], "/b": html("elsewhere")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    for days in (1, 1, 1, 0):
        await ask_again(crawl, site.url + "a", days=days)

    assert await crawl.states() == {site.url + "a": "fetched"}
    assert paths(site) == ["/a"] * 5


async def test_a_permanent_redirect_after_a_temporary_one_waits_for_a_day_of_its_own(crawl, serve):
    site = serve({"/a": [TAGGED, redirect("/b", 302), redirect("/b", 301)], "/b": html("elsewhere")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    await ask_again(crawl, site.url + "a", days=1)
    await ask_again(crawl, site.url + "a", days=1)
    second_day = await crawl.states()
    await ask_again(crawl, site.url + "a", days=1)

    assert second_day == {site.url + "a": "fetched"}
    assert await crawl.states() == {site.url + "a": "alias", site.url + "b": "fetched"}


@pytest.mark.parametrize(
    ("away", "end"),
    [
        pytest.param(redirect("http://elsewhere.test/", 302), "fetched", id="out of scope for now"),
        pytest.param(redirect("/a", 302), "fetched", id="a cookie wall"),
        pytest.param(redirect("mailto:a@b.test", 302), "fetched", id="a target that is none"),
        pytest.param(redirect("http://elsewhere.test/"), "dead: redirect_out_of_scope", id="out of scope"),
        pytest.param(redirect("/a"), "dead: redirect_loop", id="a loop"),
        pytest.param(redirect("mailto:a@b.test"), "dead: invalid_redirect", id="no target, for good"),
    ],
)
async def test_a_page_dies_of_a_redirect_only_when_it_is_there_for_good(crawl, serve, away, end):
    site = serve({"/a": [TAGGED, away]})
    await crawl.seed(site.url + "a")
    await crawl.run()
    await ask_again(crawl, site.url + "a", days=1)
    first_day = await crawl.states()
    await ask_again(crawl, site.url + "a", days=1)

    assert first_day == {site.url + "a": "fetched"}
    assert await crawl.states() == {site.url + "a": end}
    assert await crawl.document(site.url + "a") is not None


async def test_an_address_that_never_was_a_page_is_followed_at_once_and_whenever_it_is_asked_for(
    crawl, serve
):
    """An alias counts its visits, too: what tells is whether there ever was a page."""
    site = serve({"/a": redirect("/b", 302), "/b": html("The page.")})
    await crawl.seed(site.url + "a")
    await crawl.run()
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert await crawl.states() == {site.url + "a": "alias", site.url + "b": "fetched"}
    assert sorted(paths(site)) == ["/a", "/a", "/b", "/b"]


async def test_a_second_crawl_of_a_site_in_maintenance_loses_nothing(crawl, serve):
    away = redirect("/maintenance", 302)
    site = serve(
        {
            "/": [html('<a href="/a">a</a> <a href="/b">b</a>'), away],
            "/a": [TAGGED, away],
            "/b": [html("B"), away],
            "/maintenance": html("Back soon."),
        }
    )
    await crawl.seed(site.url)
    await crawl.run()
    before = await crawl.states()

    await crawl.seed(site.url)
    await crawl.operator.requeue(site.url + "a", site.url + "b")
    await crawl.run()

    assert await crawl.states() == before
    assert set(before.values()) == {"fetched"}
    assert (await crawl.operator.totals()).others["documents"] == 3
    [row] = await crawl.operator.run(
        lambda db: db.fetch("SELECT * FROM redirect_hop WHERE url_hash = $1", key_of(site.url + "a").hash)
    )
    assert (row["to_url"], row["status"], row["times"]) == (site.url + "maintenance", 302, 1)
