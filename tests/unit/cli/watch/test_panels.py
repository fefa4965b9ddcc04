"""The screen of a watch, drawn from fixed figures at several sizes."""

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from outrider.cli.crawl.panels import ScreenState
from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.cli.watch.panels import watch_screen
from outrider.crawl.seeds import StartedCrawl
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.jobs.overview import JobOverview
from outrider.services.crawl.session import Task
from outrider.watch.channels.model import DiscoveryMethod
from outrider.watch.news import LatestArticle
from outrider.watch.overview import WatchOverview
from outrider.worker_registry.model import RegisteredWorker
from outrider.workers.snapshot import Snapshot
from outrider.workers.watch_goal import EVERYTHING, WatchGoal

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
COUNTERS = {"documents": 312, "pages": 1_000, "polls.not_modified": 40, "polls.same": 2, "polls.changed": 8}
SNAPSHOT = Snapshot(
    at=3_723,
    totals=Totals(pending=180, others=COUNTERS),
    host_counts=HostCounts(0, 178, 0),
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


def drawn(overview: WatchOverview, width: int = 100, height: int = 30) -> list[str]:
    history = SnapshotHistory()
    history.add(SNAPSHOT)
    look = ScreenState(
        Task(WatchGoal(), Path("/data"), Path("/data/log/crawl.log")),
        SNAPSHOT,
        history,
        StartedCrawl(EVERYTHING, resumed=180, suspended=()),
    )
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(watch_screen(look, overview, NOON, width, height))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_the_screen_shows_articles_their_lag_and_sources_in_trouble():
    lines = drawn(WatchOverview(sources=200, failing=3, silent=0, articles=[article(1), article(5)]))

    assert [" ".join(lines[place].split()) for place in (2, 3, 5, 9)] == [
        "articles 312 since this watch began, the usual one 9s after publication",
        "polls 50 42 with nothing new",
        "sources 200 3 failing: `outrider source list --failing` says why",
        "60s Das Blatt news sitemap 9s The bridge opens",
    ]
    assert lines[10].split()[0] == "5m"


def test_where_nothing_is_wrong_nothing_is_asked_of_anybody():
    assert drawn(WatchOverview(sources=3))[5].split() == ["sources", "3", "all", "fine"]


@pytest.mark.parametrize(
    ("jobs", "line"),
    [
        (JobOverview(), "jobs 0 0 running"),
        (
            JobOverview(3, 1, 0, "Das Blatt", NOON + timedelta(minutes=12)),
            "jobs 3 1 running, next Das Blatt in 12m",
        ),
        (JobOverview(3, 0, 0, "late", NOON - timedelta(minutes=1)), "jobs 3 0 running, next late now"),
        (
            JobOverview(9, 0, 2, "a\x1b[31mb", NOON),
            "jobs 9 0 running, next a\\x1b[31mb now, 2 failed: `outrider job list --status failed` says why",
        ),
    ],
)
def test_one_line_is_about_jobs(jobs, line):
    assert " ".join(drawn(WatchOverview(sources=3, jobs=jobs), width=120)[6].split()) == line


@pytest.mark.parametrize("width", [50, 80, 140, 250])
@pytest.mark.parametrize("articles", [0, 5, 60])
def test_it_fits_its_terminal_and_does_not_jump(width: int, articles: int):
    overview = WatchOverview(200, 3, 26, [article(number, "long " * 80) for number in range(articles)])

    lines = drawn(overview, width, height=24)

    assert len(lines) == 23
    assert max(map(len, lines)) <= width


def test_what_a_site_wrote_does_not_move_the_cursor():
    lines = drawn(WatchOverview(articles=[article(1, "\x1b[2J[bold]boo")]))

    assert "\\x1b[2J[bold]boo" in lines[9]
