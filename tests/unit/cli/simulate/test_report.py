"""The report of a simulation says what happened, and shouts when somebody was treated rudely."""

from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from outrider.cli.simulate.report import compared, shown
from outrider.settings import Settings
from outrider.simulate.findings import Findings
from outrider.simulate.plan import Plan
from outrider.simulate.report import Politeness, Report, report_of
from outrider.simulate.run import Course
from outrider.simulate.server import Asked
from outrider.simulate.sites import make_sites
from outrider.simulate.web import Logged

PLAN = Plan(hosts=3, days=1.0)
SITES = make_sites(PLAN.seed, PLAN.hosts, PLAN.mix)
LOG = [Logged(SITES[0].host, "/robots.txt", Asked.ROBOTS, 5, 6, 200, "robots", 300)]
REPORT = report_of(
    Course(PLAN, SITES, LOG, Findings(frozenset(), (), {}, frozenset()), PLAN.lasts_s), Settings()
)
RUDE = replace(
    REPORT, politeness=Politeness(1, 1, 2, {"the delay after each answer": 2}, ["a.test/x after 3 s"])
)


def text_of(renderable: RenderableType, width: int = 150) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get()


def test_a_report_of_hardly_anything_can_be_read():
    told = text_of(shown(REPORT))

    assert "3 sites for 1 day, seed 1" in told
    assert "1 to 1 host, 300 B" in told
    assert "nothing to measure" in told
    assert "Polite: no site was asked too early" in told


def test_it_says_how_much_a_day_the_busiest_site_would_get():
    told = text_of(shown(REPORT))

    assert f"the busiest site, {SITES[0].host}, gets 1" in told


def test_hardships_are_told_of_where_the_web_has_them():
    traps = replace(REPORT.traps, calendars=2, recognised=1, mazes=1, requests=7, most_on_one_site=4)

    assert "traps" not in text_of(shown(REPORT))
    assert "1 of 2 calendars recognised; with 1 maze 7 requests, at most 4" in text_of(
        shown(replace(REPORT, traps=traps))
    )


def test_rudeness_is_told_by_rule_and_example():
    told = text_of(shown(RUDE))

    assert "2 violations (the delay after each answer: 2)" in told
    assert "a.test/x after 3 s" in told
    assert "Polite" not in told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(REPORT, REPORT, "+0 %", id="nothing changes"),
        pytest.param(RUDE, REPORT, "-100 %", id="all violations gone"),
    ],
)
def test_two_reports_are_compared_line_by_line(before: Report, after: Report, expected: str):
    told = text_of(compared(before, after, "delay=2s"))

    assert "delay=2s" in told
    assert expected in told


def test_many_changes_fit_a_narrow_terminal():
    changes = "poll=30m, revisit=1d, sitemap_poll=6h, mode=both, delay=2s"
    told = text_of(compared(REPORT, REPORT, changes), width=80).splitlines()

    assert [line.strip() for line in told[1:5]] == [
        "poll=30m,",
        "revisit=1d,",
        "sitemap_poll=6h,",
        "mode=both,",
    ]
    assert told[5].split() == ["as", "it", "was", "delay=2s", "change"]
    assert any(line.lstrip().startswith("asked of a dead site a day ") for line in told)
    assert max(map(len, told)) <= 80
