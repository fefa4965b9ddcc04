"""The screen of a watch, drawn from fixed figures at several sizes."""

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from outrider.cli.crawl.panels import ScreenState
from outrider.cli.crawl.trail import SnapshotHistory
from outrider.cli.crawl.views import Task
from outrider.cli.watch.panels import watch_screen
from outrider.frontier.model import Totals
from outrider.frontier.stats import Pulse
from outrider.watch.board import WatchOverview
from outrider.watch.channels.model import DiscoveryMethod
from outrider.watch.news import LatestArticle
from outrider.worker_registry.store import RegisteredWorker
from outrider.workers.goals import WatchGoal
from outrider.workers.snapshot import Snapshot

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
COUNTERS = {"documents": 312, "pages": 1_000, "polls.not_modified": 40, "polls.same": 2, "polls.changed": 8}
SNAPSHOT = Snapshot(
    at=3_723,
    totals=Totals(pending=180, others=COUNTERS),
    pulse=Pulse(0, 178, 0),
    workers=[RegisteredWorker(1, "here", 1, NOON, NOON, {"rss_mb": 87.0})],
    next_due_in_s=4.0,
)


def article(number: int, title: str = "The bridge opens") -> LatestArticle:
    published = NOON - timedelta(minutes=number)
    url = f"https://blatt.test/{number}"
    return LatestArticle(
        "Das Blatt",
        url,
        title,
        DiscoveryMethod.NEWS_SITEMAP,
        published + timedelta(seconds=9),
        published,
        9.0,
    )


def drawn(board: WatchOverview, width: int = 100, height: int = 30) -> list[str]:
    trail = SnapshotHistory()
    trail.follow(SNAPSHOT)
    look = ScreenState(
        Task(WatchGoal(), Path("/data"), Path("/data/log/crawl.log")), SNAPSHOT, trail, resumed=180
    )
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(watch_screen(look, board, NOON, width, height))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_desk_sees_its_articles_how_late_they_are_and_who_needs_somebody():
    lines = drawn(WatchOverview(sources=200, failing=3, silent=0, articles=[article(1), article(5)]))

    assert [" ".join(lines[place].split()) for place in (2, 3, 5, 8)] == [
        "articles 312 since this watch began, the usual one 9s after publication",
        "polls 50 42 with nothing new",
        "sources 200 3 failing: `outrider source list --failing` says why",
        "60s Das Blatt news sitemap 9s The bridge opens",
    ]
    assert lines[9].split()[0] == "5m"


def test_where_nothing_is_wrong_nothing_is_asked_of_anybody():
    assert drawn(WatchOverview(sources=3))[5].split() == ["sources", "3", "all", "fine"]


@pytest.mark.parametrize("width", [50, 80, 140, 250])
@pytest.mark.parametrize("articles", [0, 5, 60])
def test_it_fits_its_terminal_and_does_not_jump(width: int, articles: int):
    board = WatchOverview(200, 3, 26, [article(number, "long " * 80) for number in range(articles)])

    lines = drawn(board, width, height=24)

    assert len(lines) == 23
    assert max(map(len, lines)) <= width


def test_what_a_site_wrote_does_not_move_the_cursor():
    lines = drawn(WatchOverview(articles=[article(1, "\x1b[2J[bold]boo")]))

    assert "\\x1b[2J[bold]boo" in lines[8]
