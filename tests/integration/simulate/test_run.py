"""A day of twenty sites, crawled by the real thing on a real database, and what the sites say about it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from outrider.crawl.options import CrawlOptions
from outrider.crawl.turn import Turn
from outrider.hosts.options import HostOptions
from outrider.settings import Settings
from outrider.simulate.database import own_database
from outrider.simulate.kinds import SiteKind
from outrider.simulate.plan import STEP_S, SimulationPlan, WatchPolicy
from outrider.simulate.politeness_check import PolitenessRule
from outrider.simulate.report import Report, report_of
from outrider.simulate.run import SimulationRun, simulate
from outrider.simulate.server import RequestPurpose
from outrider.simulate.sites import DAY_S, START
from outrider.sources.model import Mode

SMALL = SimulationPlan(hosts=20, days=1.0, seed=5, policy=WatchPolicy(poll_s=3600.0))
FEW = SimulationPlan(hosts=10, days=0.1, seed=2, mix={SiteKind.PLAIN: 1}, policy=WatchPolicy(mode=Mode.BOTH))


@pytest.fixture(scope="module")
def course() -> Iterator[SimulationRun]:
    with own_database(None) as dsn:
        yield simulate(SMALL, Settings(), dsn)


@pytest.fixture(scope="module")
def report(course: SimulationRun) -> Report:
    return report_of(course, Settings())


def test_every_site_was_asked_for_its_robots_txt_first(course: SimulationRun):
    first = {}
    for request in course.log:
        first.setdefault(request.host, request.asked)

    assert first == {site.host: RequestPurpose.ROBOTS for site in course.sites}


def test_no_site_got_an_impolite_request(report: Report):
    assert report.politeness.requests > 300
    assert report.politeness.violations == 0


def test_what_a_search_found_is_crawled_within_the_hour(course: SimulationRun):
    first = min(request.began_s for request in course.log if request.asked is RequestPurpose.ARTICLE)

    assert first < 3600


def test_a_step_does_not_end_with_the_last_lane():
    plan = SimulationPlan(
        hosts=8, days=0.01, seed=2, mix={SiteKind.PLAIN: 1}, policy=WatchPolicy(mode=Mode.SPIDER)
    )
    with own_database(None) as dsn:
        course = simulate(plan, Settings(crawl=CrawlOptions(lanes=2)), dsn)

    assert len({request.host for request in course.log if request.began_s < STEP_S}) == 8


def test_time_passed_to_the_end_and_hardly_further(course: SimulationRun):
    assert max(request.began_s for request in course.log) > 0.95 * DAY_S
    assert DAY_S <= course.ended_s < DAY_S + 3600


def test_the_database_lived_in_virtual_time(course: SimulationRun):
    seen = [(each.seen_at - START).total_seconds() for each in course.findings.first_sightings]

    assert seen
    assert min(seen) > 0
    assert max(seen) <= course.ended_s


def test_new_articles_are_found_by_feeds_sitemaps_and_links(report: Report):
    assert report.new_articles.fetched_share > 0.5
    assert {"feed", "spider"} <= set(report.freshness.by_way)
    assert 0 < report.freshness.seen_after_s.median < 6 * 3600


def test_the_parts_add_up_to_the_whole(report: Report):
    requests = report.politeness.requests

    assert sum(report.budget.by_kind.values()) == requests
    assert sum(report.budget.brought.values()) == requests
    assert sum(kind.requests for kind in report.kinds.values()) == requests
    assert sum(kind.sites for kind in report.kinds.values()) == SMALL.hosts


def test_what_was_fetched_was_known(report: Report):
    for part in (report.new_articles, report.old_articles):
        assert part.fetched <= part.known <= part.articles


def test_a_calendar_does_not_swallow_the_crawl(course: SimulationRun, report: Report):
    assert any(site.kind is SiteKind.CALENDAR for site in course.sites)
    assert 0 < report.traps.most_on_one_site < 100


def test_a_rude_crawler_is_caught(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Turn, "wait_s", property(lambda turn: 0.0))
    settings = Settings(crawl=CrawlOptions(respect_robots=False))
    with own_database(None) as dsn:
        course = simulate(FEW, settings, dsn)
    politeness = report_of(course, settings).politeness

    assert any(site.has_private_pages for site in course.sites)
    assert politeness.by_rule[PolitenessRule.DELAY] > 10
    assert politeness.by_rule[PolitenessRule.ROBOTS] > 0
    assert politeness.by_permit == {
        "retry_after_cap": 0,
        "respect_robots": politeness.by_rule[PolitenessRule.ROBOTS],
    }
    assert politeness.examples


def test_a_low_cap_on_retry_after_is_rude_and_the_users_doing():
    plan = SimulationPlan(
        hosts=6, days=0.5, seed=3, mix={SiteKind.STORMY: 1}, policy=WatchPolicy(poll_s=1800.0)
    )
    settings = Settings(hosts=HostOptions(pause_cap=timedelta(seconds=5), penalty_cap_ms=0))
    with own_database(None) as dsn:
        politeness = report_of(simulate(plan, settings, dsn), settings).politeness

    assert politeness.violations == politeness.by_permit["retry_after_cap"] > 0
