"""The live screen, drawn from fixed figures at several sizes."""

import io
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from outrider.cli.crawl.panels import ScreenState, picture
from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.services.crawl.session import Task
from outrider.sources.policy import Policy
from outrider.worker_registry.model import RegisteredWorker
from outrider.workers.goals import CrawlGoal
from outrider.workers.monitor_queries import RequestIntervals, SlowHost
from outrider.workers.snapshot import Snapshot

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
COUNTERS = {f"status.{code}": 10**place for place, code in enumerate((500, 404, 301, 200))} | {
    "pages": 1_234_567,
    "bytes": 98_765_432_109,
    "failure.connection_refused": 77,
    "dead.unsupported_content_type": 123_456,
    "dead.max_retries:incomplete_body": 9,
    "skipped.scope": 9_876_543,
    "skipped.trap": 99_999,
}
LOOK = Snapshot(
    at=3_723,
    totals=Totals(pending=12_345_678, fetched=1_234_567, dead=123_465, aliases=54_321, others=COUNTERS),
    host_counts=HostCounts(200, 10_000, 17),
    workers=[RegisteredWorker(n, "here", n, NOON, NOON, {"rss_mb": 120.0, "cpu_s": 5.0}) for n in range(8)],
    next_due_in_s=0,
    pages_per_s=1_234.5,
    bytes_per_s=12_345_678,
    deaths=3,
    pace=RequestIntervals(1, 1),
    slowest=[SlowHost("a-host-with-a-very-long-name-indeed.of-some-department.example", 12_345)] * 5,
)


def drawn(look: ScreenState, width: int, height: int = 40) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(picture(look, width, height))
    return out.getvalue().splitlines()


def look(**changes) -> ScreenState:
    history = SnapshotHistory()
    snapshot = replace(LOOK, **changes)
    history.add(snapshot)
    policy = Policy(seeds=("https://example.com/" + "x" * 300, "https://example.org/"), max_pages=2_000_000)
    return ScreenState(Task(CrawlGoal(policy), Path("/data"), Path("/data/log/crawl.log")), snapshot, history)


@pytest.mark.parametrize("width", [60, 80, 100, 160, 250])
def test_no_line_is_wider_than_the_terminal_and_the_height_does_not_depend_on_the_figures(width):
    full = drawn(look(), width)
    empty = drawn(look(totals=Totals(), slowest=(), workers=[], deaths=0, at=0), width)

    assert max(map(len, full)) <= width
    assert len(full) == len(empty)


@pytest.mark.parametrize(
    "told",
    [
        *("1:02:03", "1,234,567 of 2,000,000 pages   62%", "1,234/s", "98.8 GB", "12.3 MB/s", "12.3 M"),
        *("3 replaced", "17 resting", "connection refused", "█ ", "54,321", "99,999", "12 s"),
        "Log: /data/log/crawl.log",
    ],
)
def test_the_screen_tells(told):
    assert told in "\n".join(drawn(look(), 160))


def test_a_low_terminal_shows_the_figures_only():
    lines = drawn(look(), 80, height=15)

    assert len(lines) <= 15
    assert not any("slowest hosts" in line for line in lines)


@pytest.mark.parametrize("told", ["1,234,567  1,234/s", "12.3 MB/s", "200 active, 17 resting", "12.3 M"])
def test_a_narrow_terminal_still_tells_how_fast_it_goes(told):
    assert told in "\n".join(drawn(look(), 50))


def test_an_interrupt_is_answered_on_the_screen():
    assert any("Ctrl-C again stops at once" in line for line in drawn(replace(look(), draining=True), 80))


@pytest.mark.parametrize(("draining", "how"), [(False, "Ctrl-C twice"), (True, "Ctrl-C again")])
def test_a_database_that_is_silent_is_told_with_what_ends_the_wait(draining, how):
    lines = drawn(replace(look(), silent=True, draining=draining), 80)

    assert f"The database does not answer, waiting for it. {how} stops at once." in lines


def test_robots_txt_that_is_not_obeyed_stands_on_the_screen():
    shown = look()
    loud = replace(shown, task=replace(shown.task, robots_notice="robots.txt is not obeyed anywhere"))

    assert any("robots.txt is not obeyed anywhere" in line for line in drawn(loud, 100))
    assert not any("robots.txt is not obeyed" in line for line in drawn(shown, 100))
