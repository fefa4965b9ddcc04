"""What is said of a run: its state, its progress, and the command that continues it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from outrider.runs.listing import ListedRun, RunStats
from outrider.runs.model import Run, RunStatus, StartedBy
from outrider.services.runs.details import RunState, details_of, state_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
OPEN = Run(
    run_id=7,
    public_id=UUID(int=7),
    source_id=3,
    job_id=None,
    execution_number=1,
    status=RunStatus.RUNNING,
    started_by=StartedBy.COMMAND,
    retry_attempt=0,
    started_at=NOW - timedelta(seconds=20),
)
ASKED = replace(OPEN, cancel_at=NOW, cancel_reason="test")
ENDED = replace(
    OPEN,
    status=RunStatus.COMPLETED,
    completed_at=NOW - timedelta(seconds=10),
    items_crawled=5,
    metadata={"crawl_metrics": {"requests_total": 6, "entries": {"added": 5, "settled": 5}}},
)
OF_JOB = replace(OPEN, job_id=1, started_by=StartedBy.SCHEDULE)


@pytest.mark.parametrize(
    ("run", "crawled", "state"),
    [
        (OPEN, {3}, RunState.RUNNING),
        (OPEN, {4}, RunState.INTERRUPTED),
        (OF_JOB, (), RunState.RUNNING),
        (ASKED, {3}, RunState.CANCELLING),
        (ASKED, (), RunState.CANCELLING),
        (ENDED, (), RunState.COMPLETED),
    ],
)
def test_an_open_crawl_without_a_process_is_interrupted_and_never_running(run, crawled, state):
    assert state_of(run, crawled) is state


def test_an_open_run_shows_its_counters():
    counts = {"added": 10, "settled": 4, "pages": 3, "indexed": 2, "requests": 5}
    found = details_of(ListedRun(OPEN, "crawl", (), None), counts, {3}, NOW)

    assert (found.items_crawled, found.items_indexed) == (3, 2)
    progress = found.progress
    assert (progress.added, progress.settled, progress.waiting) == (10, 4, 6)
    assert (progress.pages, progress.requests, progress.pages_per_s) == (3, 5, 0.15)
    assert found.crawl_metrics["requests_total"] == 5


def test_an_ended_run_shows_what_was_stored_at_its_end():
    found = details_of(ListedRun(ENDED, "crawl", (), None), {"pages": 99}, (), NOW)

    progress = found.progress
    assert (found.items_crawled, found.duration_ms) == (5, 10_000)
    assert (progress.waiting, progress.pages, progress.requests, progress.pages_per_s) == (0, 5, 6, 0.5)


@pytest.mark.parametrize(
    ("run", "seeds", "command"),
    [
        (OPEN, ["http://a.test/?a&b"], "outrider crawl 'http://a.test/?a&b'"),
        (
            OPEN,
            [f"http://{n}.test/" for n in "abcdef"],
            "outrider crawl http://a.test/ http://b.test/ http://c.test/ http://d.test/ http://e.test/ …",
        ),
        (ASKED, ["http://a.test/"], "outrider crawl http://a.test/"),
        (ENDED, ["http://a.test/"], None),
        (OF_JOB, ["http://a.test/"], None),
    ],
)
def test_the_command_that_fetches_what_a_run_left(run, seeds, command):
    assert details_of(ListedRun(run, "crawl", seeds, None), {}, (), NOW).continue_with == command


@pytest.mark.parametrize(("successful", "failed", "rate"), [(3, 1, 0.75), (0, 0, None), (0, 2, 0.0)])
def test_the_success_rate_counts_decided_runs(successful, failed, rate):
    assert RunStats(9, successful, failed, 1, None, None).success_rate == rate
