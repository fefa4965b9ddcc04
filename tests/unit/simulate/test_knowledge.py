"""What was known is measured against what was true."""

from dataclasses import replace
from datetime import timedelta

import pytest

from outrider.simulate.articles import published, says
from outrider.simulate.difficult_sites import silent_sites
from outrider.simulate.figures import ValueSpread, share
from outrider.simulate.findings import FirstSighting, SimulationFindings
from outrider.simulate.kinds import SiteKind
from outrider.simulate.knowledge import StoredCopy, copies_of, coverage, freshness
from outrider.simulate.mix import USUAL
from outrider.simulate.server import RequestPurpose
from outrider.simulate.site_failures import outage_of
from outrider.simulate.sites import DAY_S, START, make_sites
from outrider.simulate.web import LoggedRequest

SITES = make_sites(seed=4, count=400, mix=USUAL)
NEWS = next(site for site in SITES if site.kind is SiteKind.NEWS)
DYING = next(site for site in SITES if (outage := outage_of(site)) and outage.back_s < 6 * DAY_S)
NOW_S = 7 * DAY_S
ARTICLES = list(published(NEWS, NOW_S))
NEW = [article for article in ARTICLES if article.published_s > 0]
NOTHING = SimulationFindings(frozenset(), (), {}, frozenset())


def test_nothing_known_is_nothing_covered():
    part = coverage([NEWS], NOTHING, {}, NOW_S, is_new=True)

    assert (part.articles, part.known, part.fetched) == (len(NEW), 0, 0)


def test_new_and_old_articles_are_counted_apart():
    findings = replace(NOTHING, known=frozenset(NEWS.origin + article.path for article in NEW[:3]))
    copies = {(NEWS.host, NEW[0].path): StoredCopy(NOW_S, says(NEWS, NEW[0], NOW_S))}
    new, old = (coverage([NEWS], findings, copies, NOW_S, is_new=is_new) for is_new in (True, False))

    assert (new.known, new.fetched) == (3, 1)
    assert (old.articles, old.known) == (len(ARTICLES) - len(NEW), 0)


def test_a_copy_ages_from_the_change_it_missed():
    revised = next(each for each in NEW if each.revised_s is not None and each.revised_s < NOW_S)
    assert revised.revised_s is not None
    old_copy = {
        (NEWS.host, revised.path): StoredCopy(revised.published_s, says(NEWS, revised, revised.published_s))
    }
    true_copy = {(NEWS.host, revised.path): StoredCopy(revised.published_s, says(NEWS, revised, NOW_S))}

    assert freshness([NEWS], NOTHING, old_copy, NOW_S).age_s.mean == round(NOW_S - revised.revised_s, 1)
    assert freshness([NEWS], NOTHING, true_copy, NOW_S).age_s.mean == 0


def test_an_article_is_seen_after_its_publication_by_the_way_that_was_first():
    at = START + timedelta(seconds=NEW[0].published_s + 90)
    findings = replace(
        NOTHING, first_sightings=[FirstSighting(NEWS.origin + NEW[0].path, "news_sitemap", at)]
    )

    assert freshness([NEWS], findings, {}, NOW_S).by_way == {"news sitemap": ValueSpread(1, 90.0, 90.0, 90.0)}


def test_the_last_thing_an_article_said_is_the_copy_we_have():
    log = [
        LoggedRequest("a.test", "/x", RequestPurpose.ARTICLE, 0, 1, 200, "v1"),
        LoggedRequest("a.test", "/x", RequestPurpose.ARTICLE, 5, 6, 200, "v2"),
        LoggedRequest("a.test", "/x", RequestPurpose.ARTICLE, 8, 9, 503, "v3"),
        LoggedRequest("a.test", "/", RequestPurpose.LIST, 8, 9, 200, "list"),
    ]

    assert copies_of(log) == {("a.test", "/x"): StoredCopy(1, "v2")}


def test_requests_to_a_dead_site_are_those_between_its_death_and_its_return():
    outage = outage_of(DYING)
    assert outage is not None
    times = (outage.silent_from_s - 1, outage.silent_from_s + 1, outage.back_s - 1, outage.back_s + 1)
    log = [LoggedRequest(DYING.host, "/", RequestPurpose.LIST, at_s, at_s, 200) for at_s in times]
    found = silent_sites([DYING], log, NOW_S)

    assert (found.sites, found.requests, found.came_back, found.found_again) == (1, 2, 1, 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ValueSpread()),
        ([3.0], ValueSpread(1, 3.0, 3.0, 3.0)),
        ([float(number) for number in range(100, 0, -1)], ValueSpread(100, 50.5, 50.0, 95.0)),
    ],
)
def test_how_values_lie(values: list[float], expected: ValueSpread):
    assert ValueSpread.of(values) == expected


def test_a_share_of_nothing_is_nothing():
    assert (share(0, 0), share(1, 3)) == (0.0, 0.3333)
