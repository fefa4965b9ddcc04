"""The figures of a run from its counters, and how a run ends."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from outrider.runs.metrics import crawl_metrics, verdict_of, waiting
from outrider.runs.model import Run, RunStatus, StartedBy

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
RUN = Run(
    run_id=1,
    public_id=uuid4(),
    source_id=1,
    job_id=None,
    execution_number=1,
    status=RunStatus.RUNNING,
    started_by=StartedBy.COMMAND,
    retry_attempt=0,
    started_at=NOW,
)


def test_metrics_have_every_figure_of_an_execution():
    counts = {
        "requests": 12,
        "requests_failed": 3,
        "bytes": 5000,
        "rate_limits": 1,
        "cloudflare_blocks": 2,
        "status.200": 8,
        "status.404": 1,
        "status.429": 1,
        "failure.http_404": 1,
        "failure.timeout": 2,
        "response_ms": 1000,
        "response_ms_min": 10,
        "response_ms_max": 400,
        "dead.robots_blocked": 4,
        "dead.unsupported_content_type": 5,
        "beyond_depth": 6,
        "pages": 8,
        "indexed": 7,
        "words": 800,
        "added": 20,
        "settled": 20,
        "dead": 9,
    }

    found = crawl_metrics(counts)

    assert found["status_codes"] == {"200": 8, "404": 1, "429": 1}
    assert (found["requests_total"], found["requests_failed"], found["bytes_downloaded"]) == (12, 3, 5000)
    assert (found["rate_limits"], found["cloudflare_blocks"]) == (1, 2)
    assert found["error_categories"] == {"timeout": 2, "http_404": 1}
    assert found["top_errors"][0] == {"error": "timeout", "count": 2}
    assert found["response_time_ms"] == {"min": 10, "avg": 100, "max": 400}
    assert found["skipped"] == {"non_html": 5, "max_depth": 6, "robots_txt": 4}
    assert found["extraction_quality"]["words_avg"] == 100
    assert found["entries"] == {"added": 20, "settled": 20, "dead": 9, "withdrawn": 0}


def test_five_errors_are_named_at_most():
    counts = {f"failure.error_{n}": n for n in range(1, 9)}

    assert [each["count"] for each in crawl_metrics(counts)["top_errors"]] == [8, 7, 6, 5, 4]


def test_metrics_of_a_run_without_answers_divide_by_nothing():
    found = crawl_metrics({})

    assert found["response_time_ms"] == {"min": None, "avg": None, "max": None}


def test_entries_wait_until_as_many_are_settled_as_were_added():
    counted = [{}, {"added": 3, "settled": 1}, {"added": 3, "settled": 3}]

    assert [waiting(counts) for counts in counted] == [0, 2, 0]


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ({"added": 2, "settled": 2, "dead": 1, "pages": 1}, RunStatus.COMPLETED),
        ({"added": 2, "settled": 2, "dead": 2, "dead.not_found": 2}, RunStatus.FAILED),
        ({"added": 1, "settled": 1, "requests": 1, "requests_failed": 1}, RunStatus.FAILED),
        ({}, RunStatus.COMPLETED),
    ],
    ids=["one page", "all given up", "the only poll failed", "nothing to do"],
)
def test_a_run_fails_only_if_nothing_came_of_it(counts, status):
    assert verdict_of(RUN, counts).status is status


def test_a_failed_run_says_why():
    counts = {"added": 2, "settled": 2, "dead": 2, "dead.not_found": 2}

    assert verdict_of(RUN, counts).error == "no page could be fetched: not_found (2)"


def test_a_cancelled_run_ends_as_cancelled_with_its_reason():
    from dataclasses import replace

    cancelled = replace(RUN, cancel_at=NOW, cancel_reason="an operator cancelled it")

    verdict = verdict_of(cancelled, {"added": 1, "settled": 1, "pages": 1})
    assert (verdict.status, verdict.error) == (RunStatus.CANCELLED, "an operator cancelled it")
