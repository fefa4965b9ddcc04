"""The report of a simulation says what was tried and what came of it, and shouts at rudeness."""

from dataclasses import replace

import pytest
from tests.support.simulated import REPORT, SITES, planned, rude, text_of

from outrider import __version__
from outrider.cli.simulate.report import shown
from outrider.simulate.figures import Spread


def test_a_report_of_hardly_anything_can_be_read():
    told = text_of(shown(REPORT))

    assert "3 sites for 1 day, seed 1" in told
    assert "1 to 1 host, 300 B" in told
    assert "nothing to measure" in told
    assert "none: no article was fetched" in told
    assert "seen first by" not in told
    assert "Polite: no site was asked too early" in told


def test_it_says_how_much_a_day_the_busiest_site_would_get():
    told = text_of(shown(REPORT))

    assert f"the busiest site, {SITES[0].host}, gets 1" in told


def test_it_says_which_policy_ran():
    told = text_of(shown(REPORT))

    assert "feeds every 4h to begin with, sitemaps every 1d, a pause of 1s, mode feed" in told
    assert "articles again when a sitemap says so" in told
    assert f"Outrider {__version__}, 1 worker" in told


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param({"revisit_s": 86_400.0}, "articles again after 1d", id="revisits"),
        pytest.param({"mix": {"stormy": 1.0, "news": 2.5}}, "stormy 1, news 2.5", id="an unusual mix"),
        pytest.param({"settings": {"trap_patience": "3"}}, "trap_patience=3", id="a changed setting"),
    ],
)
def test_what_is_unusual_about_a_policy_is_told(changed: dict[str, object], expected: str):
    assert expected not in text_of(shown(REPORT))
    assert expected in text_of(shown(planned(REPORT, **changed)))


def test_hardships_are_told_of_where_the_web_has_them():
    traps = replace(REPORT.traps, calendars=2, recognised=1, mazes=1, requests=7, most_on_one_site=4)

    assert "traps" not in text_of(shown(REPORT))
    assert "1 of 2 calendars recognised; with 1 maze 7 requests, at most 4" in text_of(
        shown(replace(REPORT, traps=traps))
    )


@pytest.mark.parametrize(
    ("came_back", "found_again", "expected"),
    [
        pytest.param(0, 0, "while silent; none came back", id="none"),
        pytest.param(2, 1, "while silent; 1 of 2 that came back were found again", id="two"),
    ],
)
def test_dead_sites_that_came_back_are_told_of_if_any_did(came_back: int, found_again: int, expected: str):
    dead = replace(REPORT.dead, sites=3, came_back=came_back, found_again=found_again)

    assert expected in text_of(shown(replace(REPORT, dead=dead)))


def test_by_which_way_articles_were_seen_is_told_where_any_were():
    freshness = replace(REPORT.freshness, by_way={"feed": Spread.of([60.0])})

    assert "seen first by" in text_of(shown(replace(REPORT, freshness=freshness)))


def test_rudeness_is_told_by_rule_and_example():
    told = text_of(shown(rude()))

    assert "2 violations (rest for as long as it asked: 2)" in told
    assert "2 that no setting of yours allows: a bug, please report it" in told
    assert "a.test/x after 3 s" in told
    assert "Polite" not in told


def test_rudeness_that_a_setting_allows_is_no_bug():
    told = text_of(shown(rude(permitted=2)))

    assert "2 requests before the end of Retry-After, as your retry_after_cap allows" in told
    assert "bug" not in told
    assert "Polite" not in told
