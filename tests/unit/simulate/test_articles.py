"""The truth about articles: the same each time, growing with time, and shared by mirrors."""

from datetime import timedelta

import pytest

from outrider.extract.article.url import article_url
from outrider.simulate.articles import find, newest, published, text_of
from outrider.simulate.kinds import SiteKind
from outrider.simulate.mix import USUAL
from outrider.simulate.sites import DAY_S, START, Site, make_sites

SITES = make_sites(seed=7, count=200, mix=USUAL)
WEEK_S = 7 * DAY_S


def of_kind(kind: SiteKind) -> Site:
    return next(site for site in SITES if site.kind is kind)


def test_the_same_seed_gives_the_same_web():
    assert make_sites(7, 200, USUAL) == SITES
    assert make_sites(8, 200, USUAL) != SITES


@pytest.mark.parametrize("site", SITES[::20], ids=lambda site: site.host)
def test_nothing_published_is_ever_taken_back(site: Site):
    counts = [len(list(published(site, day * DAY_S))) for day in range(8)]

    assert counts == sorted(counts)


@pytest.mark.parametrize("site", SITES[::20], ids=lambda site: site.host)
def test_articles_come_newest_first_and_none_before_its_time(site: Site):
    times = [article.published_s for article in published(site, WEEK_S)]

    assert times == sorted(times, reverse=True)
    assert all(-site.backlog_days * DAY_S <= at <= WEEK_S for at in times)


@pytest.mark.parametrize("site", SITES[::20], ids=lambda site: site.host)
def test_each_article_has_an_address_of_its_own_that_leads_to_it(site: Site):
    articles = list(published(site, WEEK_S))

    assert len({article.path for article in articles}) == len(articles)
    assert all(find(site, article.path, WEEK_S) == article for article in articles)
    assert all(article_url(site.origin + article.path) for article in articles)


def test_an_article_is_not_there_before_it_is_published():
    site = of_kind(SiteKind.NEWS)
    [article] = newest(site, WEEK_S, 1)

    assert find(site, article.path, article.published_s - 1) is None
    assert find(site, article.path, article.published_s) == article


@pytest.mark.parametrize(
    "path", ["/", "/2026", "/2026/13/40/x", "/9999/01/01/x", "/a/b/c/d", "/2026/01/05/none"]
)
def test_what_is_no_article_is_not_found(path: str):
    assert find(of_kind(SiteKind.NEWS), path, WEEK_S) is None


def test_a_revision_changes_the_text_once():
    site = of_kind(SiteKind.NEWS)
    article = next(each for each in published(site, WEEK_S) if each.revised_s is not None)
    assert article.revised_s is not None
    before, after = article.revised_s - 1, article.revised_s + 1

    assert (article.version(before), article.version(after)) == (1, 2)
    assert text_of(site, article, 1) != text_of(site, article, 2)
    assert (article.changed_s(before), article.changed_s(after)) == (article.published_s, article.revised_s)


def test_a_mirror_shows_what_its_original_shows():
    mirror = of_kind(SiteKind.MIRROR)
    original = next(site for site in SITES if site.host == mirror.content)

    assert mirror.host != original.host
    assert list(published(mirror, WEEK_S)) == list(published(original, WEEK_S))
    [article] = newest(mirror, WEEK_S, 1)
    assert text_of(mirror, article, 1) == text_of(original, article, 1)


def test_newsrooms_publish_by_day_and_rest_at_the_weekend():
    articles = [each for site in SITES if site.kind is SiteKind.NEWS for each in published(site, WEEK_S)]
    at = [START + timedelta(seconds=article.published_s) for article in articles]
    by_day = sum(7 <= each.hour < 19 for each in at)
    at_weekends = sum(each.weekday() >= 5 for each in at)

    assert by_day > 0.65 * len(at)
    assert at_weekends < 0.25 * len(at)
