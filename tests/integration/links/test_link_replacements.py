"""Where a page that a dead link led to may be now, from what the crawler knows."""

from tests.support.field_links import SITE
from tests.support.site import Answer, Plan, Site, html, redirect

from outrider.frontier.model import Submission, UrlOrigin
from outrider.links.monitor.model import StoredLinkStatus
from outrider.services.sites import links as use_cases
from outrider.urls import host_of, key_of


async def test_replacements_come_from_what_the_crawler_knows(save, site, crawl, do):
    base = site.origins[0]
    await crawl.seed(f"{base}/teapot-blue")
    [link] = (await save(f"{base}/teapot-blu")).links
    await crawl.run()

    details = await do(use_cases.link_details, SITE, link.link_id)

    assert details.link.status is StoredLinkStatus.DEAD
    assert [(each.url, each.by.value) for each in details.replacements] == [
        (f"{base}/teapot-blue", "similar_path")
    ]
    assert 0 < details.replacements[0].confidence < 0.7


async def test_what_a_page_said_before_it_died_says_where_it_may_be(save, tmp_path, crawl, do):
    text = "a long story about a teapot that nobody else tells in these words " * 8
    first = html(f'<title>A</title><link rel="canonical" href="/canon/a"><p>{text}</p>')
    answers = {
        "/a": [first, Answer(status=404)],
        "/copy/of": [html(f"<title>A</title><p>{text}</p>")],
        "/alias": [redirect("/between"), Answer(status=404)],
        "/between": [redirect("/copy/of")],
        "/titled": [html("<title>Red kettle</title><p>red</p>")],
        "/canon/a": [Answer(status=404)],
    }
    with Site.start(tmp_path, Plan(pages=1, answers=answers)) as site:
        base = site.origins[0]
        await crawl.seed(f"{base}/a", f"{base}/copy/of", f"{base}/alias", f"{base}/titled")
        await crawl.run()
        saved = await save(f"{base}/a", f"{base}/alias", f"{base}/shop/red-kettle.html")
        await crawl.forget_waits()
        await crawl.run()

        found = {}
        for link in saved.links:
            details = await do(use_cases.link_details, SITE, link.link_id)
            assert details.link.status is StoredLinkStatus.DEAD
            found[link.url.removeprefix(base)] = [
                (each.url.removeprefix(base), each.by.value, each.confidence) for each in details.replacements
            ]
    assert found == {
        "/a": [("/copy/of", "same_content", 0.9), ("/canon/a", "canonical", 0.8)],
        "/alias": [("/copy/of", "alias", 0.9), ("/between", "seen_redirect", 0.7)],
        "/shop/red-kettle.html": [("/titled", "similar_title", 0.6)],
    }


async def test_a_page_that_only_a_sitemap_lists_is_suggested(save, site, crawl, do, operator):
    base = site.origins[0]
    [link] = (await save(f"{base}/kettle-red")).links
    await crawl.run()
    for path, origin in (("/kettle-reds", UrlOrigin.SITEMAP), ("/kettle-redd", UrlOrigin.SPIDER)):
        url = f"{base}{path}"
        entry = Submission(key_of(url), url, host_of(url), 5, 1, origin=origin)
        await operator.run(lambda db, entry=entry: operator.store.submit(db, [entry]))

    details = await do(use_cases.link_details, SITE, link.link_id)

    assert [each.url for each in details.replacements] == [f"{base}/kettle-reds"]


async def test_a_crawled_redirect_is_the_best_replacement(save, site, crawl, do):
    base = site.origins[0]
    await crawl.seed(f"{base}/moved")
    await crawl.run()
    [link] = (await save(f"{base}/moved")).links
    await crawl.forget_waits()
    await crawl.run()

    details = await do(use_cases.link_details, SITE, link.link_id)

    assert details.replacements[0].url == f"{base}/good"
    assert details.replacements[0].confidence >= 0.9
