"""How far a crawl goes: directives of pages, depth, page limits that hold exactly."""

import pytest
from tests.support.site import Answer, html, page_path, redirect
from tests.support.worker import paths


async def test_links_of_a_page_that_forbids_it_are_not_followed(crawl, serve):
    site = serve(
        {
            "/": html('<meta name="robots" content="nofollow"><a href="/a">a</a>'),
            "/2": html('<a href="/b" rel="nofollow">b</a> <a href="/c">c</a>'),
            "/3": Answer(
                body='<a href="/d">d</a>',
                headers={"Content-Type": "text/html", "X-Robots-Tag": "nofollow"},
            ),
            "/c": html("c"),
        }
    )
    await crawl.seed(site.url, site.url + "2", site.url + "3")
    await crawl.run()

    assert sorted(paths(site)) == ["/", "/2", "/3", "/c"]
    assert (await crawl.operator.totals()).others["skipped.nofollow"] == 3


async def test_a_source_may_follow_them_all_the_same(crawl, serve):
    site = serve({"/": html('<a href="/b" rel="nofollow">b</a>'), "/b": html("b")})
    await crawl.seed(site.url, obey_nofollow=False)
    await crawl.run()

    assert paths(site) == ["/", "/b"]


@pytest.mark.parametrize("way", ["meta", "header"])
async def test_a_page_not_to_be_indexed_is_marked(crawl, serve, way):
    page = (
        html('<meta name="robots" content="noindex"><a href="/b">b</a>')
        if way == "meta"
        else Answer(
            body='<a href="/b">b</a>', headers={"Content-Type": "text/html", "X-Robots-Tag": "noindex"}
        )
    )
    site = serve({"/": page, "/b": html("b")})
    await crawl.seed(site.url)
    await crawl.run()

    assert (await crawl.document(site.url))["noindex"]
    assert not (await crawl.document(site.url + "b"))["noindex"]


@pytest.mark.parametrize(("depth", "reached"), [(1, 2), (2, 3), (3, 4), (0, 4), (-1, 7)])
async def test_depth_counts_links_from_the_seeds(crawl, serve, depth, reached):
    """0 is the default of 3; -1 goes as deep as the cap."""
    site = serve({f"/{n}": html(f'<a href="/{n + 1}">on</a>') for n in range(6)} | {"/6": html("end")})
    await crawl.seed(site.url + "0", max_depth=depth)
    await crawl.run()

    assert paths(site) == [f"/{n}" for n in range(reached)]


async def test_what_is_outside_the_scope_is_not_queued(crawl, serve):
    site = serve(
        {"/": html('<a href="/in">in</a> <a href="http://elsewhere.test/">out</a>'), "/in": html("x")}
    )
    await crawl.seed(site.url)
    await crawl.run()

    assert await crawl.states() == {site.url: "fetched", site.url + "in": "fetched"}
    assert (await crawl.operator.totals()).others["skipped.scope"] == 1


@pytest.mark.parametrize("workers", [1, 3])
async def test_the_page_limit_is_exact(crawl, serve, workers):
    site = serve(pages=30, hosts=3)
    await crawl.seed(*(origin + "/" for origin in site.origins), max_pages=17, max_depth=-1)

    await crawl.run_pages(17, workers=workers)

    totals = await crawl.operator.totals()
    assert totals.others["pages"] == totals.others["documents"] == 17
    assert len(paths(site)) == 17
    assert totals.pending > 0


async def test_what_is_no_page_gives_its_place_back(crawl, serve):
    site = serve({"/old": redirect("/broken"), "/broken": redirect("/new"), "/new": html("the page")})
    await crawl.seed(site.url + "old", max_pages=1)
    await crawl.run_pages(1)

    assert paths(site) == ["/old", "/broken", "/new"]
    assert (await crawl.operator.totals()).others["documents"] == 1


async def test_a_limit_for_each_host_holds_for_each(crawl, serve):
    site = serve(pages=20, hosts=2)
    await crawl.seed(*(origin + "/" for origin in site.origins), max_pages_per_host=5, max_depth=-1)
    await crawl.run()

    asked = [one.address for one in site.log() if one.path != "/robots.txt"]
    assert {address: asked.count(address) for address in site.plan.addresses} == dict.fromkeys(
        site.plan.addresses, 5
    )


async def test_what_is_no_page_leaves_the_limit_of_its_host_alone(crawl, serve):
    words = Answer(body="some words", headers={"Content-Type": "text/plain"})
    site = serve({"/": words, "/page": html("one")})
    await crawl.seed(site.url, max_pages_per_host=1)
    await crawl.run()
    await crawl.seed(site.url + "page", max_pages_per_host=1)
    await crawl.run()

    assert (await crawl.states())[site.url + "page"] == "fetched"


async def test_a_crawl_reaches_every_page_once(crawl, serve):
    site = serve(pages=40, hosts=2)
    await crawl.seed(*(origin + "/" for origin in site.origins), max_depth=-1)
    await crawl.run(workers=2)

    assert sorted(paths(site)) == sorted([page_path(n) for n in range(40)] * 2)
    assert await crawl.states() == dict.fromkeys(site.urls, "fetched")
    totals = await crawl.operator.totals()
    assert (totals.fetched, totals.pending, totals.others["documents"]) == (80, 0, 80)
