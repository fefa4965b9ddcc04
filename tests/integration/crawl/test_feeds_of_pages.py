"""Feeds that a plain crawl comes across: they are no pages, and none of them is a dead one."""

from tests.support.site import Answer, html
from tests.support.worker import paths

RSS = Answer(body="<rss version='2.0'></rss>", headers={"Content-Type": "application/rss+xml"})
XML = Answer(body="<rss version='2.0'></rss>", headers={"Content-Type": "text/xml"})
HEAD = '<link rel="alternate" type="application/rss+xml" href="/declared">'


async def test_a_declared_feed_is_not_asked_for(crawl, serve):
    site = serve({"/": html(f'{HEAD}<a href="/a">a</a><a href="/declared">RSS</a>'), "/a": html("a")})
    await crawl.seed(site.url)
    await crawl.run()

    assert sorted(paths(site)) == ["/", "/a"]
    assert (await crawl.operator.totals()).dead == 0


async def test_a_feed_that_a_link_leads_to_is_no_dead_page(crawl, serve):
    links = '<a href="/linked">1</a> <a href="/feed.xml">2</a> <a href="/data.xml">3</a>'
    site = serve({"/": html(links), "/linked": RSS, "/feed.xml": XML, "/data.xml": XML})
    await crawl.seed(site.url)
    await crawl.run()

    totals = await crawl.operator.totals()
    assert await crawl.states() == {
        site.url: "fetched",
        f"{site.url}linked": "fetched",
        f"{site.url}feed.xml": "fetched",
        f"{site.url}data.xml": "dead: unsupported_content_type",
    }
    assert totals.others["skipped.feed"] == 2
    assert (totals.others["pages"], totals.dead) == (1, 1)
    assert await crawl.document(f"{site.url}linked") is None


async def test_a_seed_that_is_a_feed_is_reported_as_no_page(crawl, serve):
    site = serve({"/rss": RSS})
    await crawl.seed(f"{site.url}rss")
    await crawl.run()

    assert await crawl.states() == {f"{site.url}rss": "dead: unsupported_content_type"}
