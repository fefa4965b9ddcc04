"""A crawl for those who read lines."""

import json
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.full_disk import full_file

from outrider.cli.crawl.progress import JsonProgress, Lines
from outrider.cli.output import print_json
from outrider.crawl.seeds import StartedCrawl
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.runs.model import Run, RunStatus, StartedBy
from outrider.services.crawl.session import Task
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy
from outrider.workers.goals import CrawlGoal
from outrider.workers.snapshot import Snapshot

TASK = Task(CrawlGoal(Policy(seeds=("https://example.com/",))), Path("/data"))
SOURCE = UrlOwner(2, "crawl https://example.com/", Policy())
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
RUN = Run(7, UUID(int=7), 2, None, 1, RunStatus.RUNNING, StartedBy.COMMAND, 0, NOON)


def look(at: float, pages: int = 1_200) -> Snapshot:
    counters = {"pages": pages, "bytes": 3_400_000, "status.200": 1_200, "failure.timeout": 2}
    return Snapshot(
        at=at,
        totals=Totals(pending=30, fetched=1_200, dead=4, others=counters),
        host_counts=HostCounts(3, 1, 0),
        workers=[],
        next_due_in_s=0,
        pages_per_s=24.04,
    )


def test_one_line_every_five_seconds(capsys):
    view = Lines(TASK)
    view.begin(StartedCrawl(SOURCE, resumed=7, suspended=()))
    for second in range(11):
        view.show(look(second, pages=1_190 + second))

    assert capsys.readouterr().out.splitlines() == [
        "resuming, 7 URLs queued: https://example.com/",
        "0:00:05  1,195 pages  24.0/s  3.4 MB  30 queued  4 dead  4 hosts",
        "0:00:10  1,200 pages  24.0/s  3.4 MB  30 queued  4 dead  4 hosts",
    ]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (StartedCrawl(SOURCE, 0, (), RUN), "crawling (run 7)"),
        (StartedCrawl(SOURCE, 3, (), RUN), "resuming, 3 URLs queued (run 7)"),
        (StartedCrawl(SOURCE, 3, (), RUN, continues_run=True), "resuming run 7, 3 URLs queued"),
        (StartedCrawl(SOURCE, 0, (), RUN, continues_run=True), "resuming run 7"),
    ],
)
def test_the_first_line_names_the_run_and_says_if_it_goes_on(capsys, start, said):
    Lines(TASK).begin(start)
    JsonProgress(TASK).begin(start)

    line, event = capsys.readouterr().out.splitlines()
    assert line == f"{said}: https://example.com/"
    assert (json.loads(event)["run"], json.loads(event)["continues_run"]) == (7, start.continues_run)


def test_the_closing_comparison_says_how_many_are_left(capsys):
    view = Lines(TASK)
    for second in range(6, 18):
        view.show(replace(look(second), uncompared=(18 - second) * 1_000))

    assert capsys.readouterr().out.splitlines() == [
        "0:00:06  searching for copies: 12,000 pages to go",
        "0:00:11  searching for copies: 7,000 pages to go",
        "0:00:16  searching for copies: 2,000 pages to go",
    ]


def test_one_line_a_minute_while_nothing_happens(capsys):
    view = Lines(TASK)
    for second in range(130):
        view.show(look(second))

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "0:00:05",
        "0:01:05",
        "0:02:05",
    ]


def test_programs_get_one_object_a_line(capsys):
    view = JsonProgress(TASK)
    view.begin(StartedCrawl(SOURCE, resumed=0, suspended=()))
    view.show(look(5))
    view.drain()
    view.silent()

    start, progress, interrupted, silent = map(json.loads, capsys.readouterr().out.splitlines())
    assert start == {
        "event": "start",
        "seeds": ["https://example.com/"],
        "run": None,
        "continues_run": False,
        "resumed": 0,
        "data": "/data",
        "robots_obeyed": True,
        "robots_notice": None,
    }
    assert (progress["event"], progress["pages"], progress["pending"]) == ("progress", 1_200, 30)
    assert progress["statuses"] == {"200": 1_200}
    assert progress["errors"] == {"timeout": 2}
    assert interrupted == {"event": "interrupted"}
    assert silent == {"event": "database silent"}


def test_lines_lost_on_a_full_disk_are_told_before_the_last_word(tmp_path):
    with full_file(tmp_path / "out") as full, redirect_stdout(full.stream):
        with JsonProgress(TASK) as view:
            view.begin(StartedCrawl(SOURCE, resumed=0, suspended=()))
            view.show(look(5))
            full.make_room()
        print_json({"event": "summary"})

    lost, last = map(json.loads, full.lines())
    assert (lost["event"], lost["lines"], last["event"]) == ("lines lost", 2, "summary")
