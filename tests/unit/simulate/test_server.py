"""Sites answer as their kind does, in forms the crawler's own parsers understand."""

from collections import Counter
from dataclasses import replace

import pytest

from outrider.extract import extract
from outrider.feeds import parse_feed, parse_sitemap
from outrider.fetch.outcome import Failure
from outrider.robots import Robots
from outrider.simulate.articles import newest
from outrider.simulate.kinds import SiteKind
from outrider.simulate.mix import USUAL
from outrider.simulate.server import RequestPurpose, answer
from outrider.simulate.site_failures import failure_of, latency_s, outage_of
from outrider.simulate.sites import DAY_S, Site, make_sites

SITES = make_sites(seed=3, count=300, mix=USUAL)
NOW_S = 3 * DAY_S


def of_kind(kind: SiteKind) -> Site:
    return next(site for site in SITES if site.kind is kind)


def test_a_feed_announces_the_newest_articles():
    site = of_kind(SiteKind.NEWS)
    feed = parse_feed(answer(site, "/feed", NOW_S).body.encode(), f"{site.origin}/feed")

    assert [entry.url for entry in feed.entries] == [
        site.origin + article.path for article in newest(site, NOW_S, len(feed.entries))
    ]
    assert all(entry.published_at is not None for entry in feed.entries)


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        (SiteKind.SITEMAP, "/sitemap.xml"),
        (SiteKind.NEWS_SITEMAP, "/news-sitemap.xml"),
        (SiteKind.LIAR, "/sitemap.xml"),
    ],
)
def test_robots_txt_names_the_sitemap_and_the_sitemap_its_articles(kind: SiteKind, path: str):
    site = of_kind(kind)
    url = f"{site.origin}{path}"

    assert Robots.parse(answer(site, "/robots.txt", NOW_S).body.encode()).sitemaps == [url]
    assert parse_sitemap(answer(site, path, NOW_S).body.encode(), url).entries


def test_a_liar_says_that_everything_has_just_changed():
    site = of_kind(SiteKind.LIAR)
    before, after = (
        parse_sitemap(answer(site, "/sitemap.xml", at).body.encode(), site.origin)
        for at in (NOW_S, NOW_S + 7200)
    )

    assert len({entry.lastmod for entry in after.entries}) == 1
    assert before.entries[0].lastmod != after.entries[0].lastmod


def test_an_article_is_read_as_one():
    site = of_kind(SiteKind.BLOG)
    [article] = newest(site, NOW_S, 1)
    url = site.origin + article.path
    page = extract(answer(site, article.path, NOW_S).body.encode(), url)

    assert page.title == article.title
    assert page.published_at is not None
    assert f"{site.origin}/" in page.links


@pytest.mark.parametrize("site", SITES[::25], ids=lambda site: site.host)
def test_robots_txt_says_what_the_site_wants(site: Site):
    rules = Robots.parse(answer(site, "/robots.txt", NOW_S).body.encode())

    assert rules.crawl_delay("outrider") == site.crawl_delay_s
    assert rules.allows("outrider", f"{site.origin}/private/members") is not site.has_private_pages
    assert rules.allows("outrider", f"{site.origin}/")


def test_a_calendar_has_no_end():
    site = of_kind(SiteKind.CALENDAR)
    path = "/calendar/2026/01"
    for _ in range(30):
        found = answer(site, path, NOW_S)
        assert found.asked is RequestPurpose.TRAP
        path = max(
            link.removeprefix(site.origin) for link in extract(found.body.encode(), site.origin + path).links
        )
        path = path.rsplit("/", 1)[0] if path.count("/") > 3 else path

    assert path > "/calendar/2040"


def test_a_maze_leads_from_redirect_to_redirect():
    site = of_kind(SiteKind.MAZE)
    found = [answer(site, f"/go/{room}", NOW_S) for room in range(60)]

    assert {each.status for each in found} == {302}
    assert sum(each.location != "/" for each in found) > 40


@pytest.mark.parametrize(
    "path", ["/nothing", "/page/0", "/page/999", "/go/1", "/calendar/2026/01", "/atom.xml"]
)
def test_what_a_site_does_not_have_is_not_found(path: str):
    assert answer(of_kind(SiteKind.BLOG), path, NOW_S).status == 404


def test_a_dying_site_fails_then_is_silent_and_some_return():
    outages = {site: outage for site in SITES if (outage := outage_of(site))}
    for site, outage in outages.items():
        sick, dead = (
            failure_of(site, "/", outage.failing_from_s + 1),
            failure_of(site, "/", outage.silent_from_s + 1),
        )
        assert sick is not None
        assert dead is not None
        assert (sick.status, dead.failure) == (503, Failure.REFUSED)
    returns = Counter(outage.back_s < float("inf") for outage in outages.values())

    assert returns[True] > 0
    assert returns[False] > 0


def test_a_storm_says_how_long_it_lasts():
    site = of_kind(SiteKind.STORMY)
    met = [failure_of(site, "/", float(at_s)) for at_s in range(0, int(7 * DAY_S), 600)]
    storms = [each for each in met if each is not None and each.status == 429]

    assert 10 < len(storms) < len(met) / 3
    assert all(each.retry_after_s is not None and 0 < each.retry_after_s <= 901 for each in storms)


def test_answers_take_about_as_long_as_is_usual_for_the_site():
    site = replace(of_kind(SiteKind.BLOG), latency_s=1.0)
    times = [latency_s(site, "/", float(at_s)) for at_s in range(2_000)]

    assert min(times) >= 0.6
    assert 0.9 < sum(times) / len(times) < 1.3
    assert max(times) > 4
