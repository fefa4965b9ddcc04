"""When a watch that looks once is over, and a crawl that was cancelled."""

from dataclasses import replace

import pytest

from outrider.feeds.options import FeedOptions
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.settings import Settings
from outrider.sources.policy import Policy
from outrider.workers.goals import CrawlGoal
from outrider.workers.snapshot import CrawlEnding, Snapshot
from outrider.workers.watch_goal import WatchGoal

IDLE = Snapshot(
    at=5, totals=Totals(pending=20), host_counts=HostCounts(0, 20, 0), workers=[], next_due_in_s=600
)


@pytest.mark.parametrize(
    ("last", "ending"),
    [
        pytest.param(IDLE, CrawlEnding.WAITING, id="all polls are for later"),
        pytest.param(replace(IDLE, totals=Totals()), CrawlEnding.FINISHED, id="nothing is queued"),
        pytest.param(replace(IDLE, next_due_in_s=0.5), None, id="something is due in a moment"),
        pytest.param(
            replace(IDLE, totals=Totals(), host_counts=HostCounts(1, 0, 0)), None, id="a host is being asked"
        ),
        pytest.param(replace(IDLE, resting_in_s=4.0), None, id="an article waits only for its host's delay"),
        pytest.param(replace(IDLE, is_searching=True), None, id="a source is to be searched for feeds"),
    ],
)
def test_a_watch_that_looks_once_ends_when_nothing_more_is_due(last: Snapshot, ending: CrawlEnding | None):
    assert WatchGoal(once=True).ending(last, Settings()) is ending
    assert WatchGoal().ending(last, Settings()) is None


def test_without_a_search_the_watch_does_not_wait_for_one():
    settings = Settings(feeds=FeedOptions(discover=False))

    assert WatchGoal(once=True).ending(replace(IDLE, is_searching=True), settings) is CrawlEnding.WAITING


@pytest.mark.parametrize("totals", [Totals(), Totals(pending=20)], ids=["all withdrawn", "some are queued"])
def test_a_crawl_whose_run_was_cancelled_ends_as_cancelled_and_not_as_finished(totals: Totals):
    last = replace(IDLE, totals=totals, is_cancelled=True)

    assert CrawlGoal(Policy()).ending(last, Settings()) is CrawlEnding.CANCELLED
