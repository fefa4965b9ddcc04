"""The report of a simulation says what was tried and what came of it, and shouts at rudeness."""

from dataclasses import replace

import pytest
from tests.support.simulated import REPORT, SITES, planned, rude, text_of

from outrider import __version__
from outrider.cli.simulate.report import shown
from outrider.simulate.figures import ValueSpread
from outrider.simulate.job_figures import SimulatedJobFigures


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
def test_unusual_values_of_a_policy_are_reported(changed: dict[str, object], expected: str):
    assert expected not in text_of(shown(REPORT))
    assert expected in text_of(shown(planned(REPORT, **changed)))


def test_difficult_sites_are_reported_if_the_web_has_them():
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
def test_dead_sites_that_returned_are_reported_if_any_did(came_back: int, found_again: int, expected: str):
    dead = replace(REPORT.dead, sites=3, came_back=came_back, found_again=found_again)

    assert expected in text_of(shown(replace(REPORT, dead=dead)))


def test_jobs_are_reported_if_they_were_simulated():
    figures = SimulatedJobFigures(
        jobs=3,
        runs=70,
        runs_at_fixed_intervals=1_200,
        by_status={"running": 0, "completed": 68, "failed": 2, "cancelled": 0},
        retries=1,
        skipped_slots=4,
        stretched=2,
        intervals={"up to 1 hour": 1, "up to 24 hours": 2},
        score_before=0.5,
        score_after=0.95,
        moved=2,
        not_moved={"job_running": 1},
        hourly_before=(),
        hourly_after=(),
    )
    without = text_of(shown(REPORT))
    told = text_of(shown(replace(planned(REPORT, jobs=True), jobs=figures)))

    assert "skipped slots" not in without
    assert "interval at the end" not in without
    assert "3 jobs: 70 runs, 1,200 at fixed intervals" in told
    assert "68 completed, 2 failed; 1 of them retries" in told
    assert "4 passed while the run before went on" in told
    assert "0.500 before a rebalance, 0.950 after it; 2 jobs moved; left alone: job_running 1" in told
    assert "up to 24 hours" in told
    assert "when a sitemap says so, jobs" in told


def test_discovery_methods_are_reported_if_articles_were_seen():
    freshness = replace(REPORT.freshness, by_way={"feed": ValueSpread.of([60.0])})

    assert "seen first by" in text_of(shown(replace(REPORT, freshness=freshness)))


def test_violations_are_reported_by_rule_and_example():
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
