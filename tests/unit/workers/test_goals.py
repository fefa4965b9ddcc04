"""When a watch that looks once is over."""

from dataclasses import replace

import pytest

from outrider.feeds.options import FeedOptions
from outrider.frontier.model import Totals
from outrider.frontier.stats import Pulse
from outrider.settings import Settings
from outrider.workers.goals import WatchGoal
from outrider.workers.snapshot import CrawlEnding, Snapshot

IDLE = Snapshot(at=5, totals=Totals(pending=20), pulse=Pulse(0, 20, 0), workers=[], next_due_in_s=600)


@pytest.mark.parametrize(
    ("last", "ending"),
    [
        pytest.param(IDLE, CrawlEnding.WAITING, id="all polls are for later"),
        pytest.param(replace(IDLE, totals=Totals()), CrawlEnding.FINISHED, id="nothing is queued"),
        pytest.param(replace(IDLE, next_due_in_s=0.5), None, id="something is due in a moment"),
        pytest.param(replace(IDLE, totals=Totals(), pulse=Pulse(1, 0, 0)), None, id="a host is being asked"),
        pytest.param(replace(IDLE, resting_in_s=4.0), None, id="an article waits only for its host's delay"),
        pytest.param(replace(IDLE, is_searching=True), None, id="a source is to be searched for feeds"),
    ],
)
def test_a_watch_that_looks_once_ends_when_nothing_more_is_due(last: Snapshot, ending: CrawlEnding | None):
    assert WatchGoal(once=True).ending(last, Settings()) is ending
    assert WatchGoal().ending(last, Settings()) is None


def test_where_nobody_searches_nobody_waits_for_it():
    settings = Settings(feeds=FeedOptions(discover=False))

    assert WatchGoal(once=True).ending(replace(IDLE, is_searching=True), settings) is CrawlEnding.WAITING
