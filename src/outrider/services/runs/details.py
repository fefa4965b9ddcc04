"""Runs in the form for display: their state, their progress and what to do next. Pure."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from outrider.runs.counter import RunCounter
from outrider.runs.listing import ListedRun
from outrider.runs.metrics import crawl_metrics, waiting
from outrider.runs.model import Run, RunStatus, StartedBy
from outrider.services.as_json import json_name

MOST_SEEDS = 5  # of the command that continues a run


class RunState(StrEnum):
    """The state of a run for display: the stored one, and whether a process works for it."""

    RUNNING = RunStatus.RUNNING.value
    CANCELLING = "cancelling"  # cancelled, and some of its requests are under way
    INTERRUPTED = "interrupted"  # no process works for it; the same crawl command continues it
    COMPLETED = RunStatus.COMPLETED.value
    FAILED = RunStatus.FAILED.value
    CANCELLED = RunStatus.CANCELLED.value


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run in a list, by the names of the view `job_executions`, and `run` for its number."""

    run_id: int = field(metadata=json_name("run"))
    id: UUID
    source_id: int
    source_name: str
    job_id: UUID | None
    execution_number: int
    status: RunStatus
    state: RunState
    started_by: StartedBy
    retry_attempt: int
    started_at: datetime
    completed_at: datetime | None
    duration_ms: int | None
    items_crawled: int
    items_indexed: int
    error_message: str | None
    cancel_at: datetime | None
    cancel_reason: str | None
    continue_with: str | None  # the command that continues an interrupted or a cancelled crawl


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is."""

    added: int
    settled: int
    waiting: int
    pages: int
    requests: int
    pages_per_s: float | None  # since the start of the run; None before the first moment has passed


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetails(RunSummary):
    """One run, with its progress and its metrics (JOB-16)."""

    progress: RunProgress
    crawl_metrics: Mapping[str, Any]
    stack_trace: str | None
    cpu_time_ms: int | None
    memory_peak_mb: int | None
    log_object_key: str | None
    log_size_bytes: int | None
    log_line_count: int | None


def state_of(run: Run, crawled: Collection[int]) -> RunState:
    """The state of a run; `crawled` has the sources that a live `outrider crawl` works on."""
    if not run.is_open:
        return RunState(run.status.value)
    if run.is_cancelled:
        return RunState.CANCELLING
    is_interrupted = run.started_by is StartedBy.COMMAND and run.source_id not in crawled
    return RunState.INTERRUPTED if is_interrupted else RunState.RUNNING


def summary_of(found: ListedRun, counts: Mapping[str, int], crawled: Collection[int]) -> RunSummary:
    """A run in the form for a list. `counts` are its counters, which an ended run does not need."""
    return RunSummary(**_values(found, counts, crawled))


def details_of(
    found: ListedRun, counts: Mapping[str, int], crawled: Collection[int], now: datetime
) -> RunDetails:
    """A run in the form for a view of its own."""
    run = found.run
    metrics = crawl_metrics(counts) if run.is_open else run.metadata.get("crawl_metrics", {})
    return RunDetails(
        **_values(found, counts, crawled),
        progress=_progress(run, metrics, counts, now),
        crawl_metrics=metrics,
        stack_trace=run.stack_trace,
        cpu_time_ms=run.cpu_time_ms,
        memory_peak_mb=run.memory_peak_mb,
        log_object_key=run.log_object_key,
        log_size_bytes=run.log_size_bytes,
        log_line_count=run.log_line_count,
    )


def continue_command(found: ListedRun, state: RunState) -> str | None:
    """The command that fetches what a run left; None if nothing was left, or a job fetches it."""
    if found.run.started_by is not StartedBy.COMMAND or not found.seeds:
        return None
    if state not in (RunState.INTERRUPTED, RunState.CANCELLING, RunState.CANCELLED):
        return None
    shown = " ".join(shlex.quote(seed) for seed in found.seeds[:MOST_SEEDS])
    return f"outrider crawl {shown}" + (" …" if len(found.seeds) > MOST_SEEDS else "")


def _values(found: ListedRun, counts: Mapping[str, int], crawled: Collection[int]) -> dict[str, Any]:
    run, state = found.run, state_of(found.run, crawled)
    pages, indexed = run.items_crawled, run.items_indexed
    if run.is_open:
        pages, indexed = counts.get(RunCounter.PAGES, 0), counts.get(RunCounter.INDEXED, 0)
    return {
        "run_id": run.run_id,
        "id": run.public_id,
        "source_id": run.source_id,
        "source_name": found.source_name,
        "job_id": found.job_public_id,
        "execution_number": run.execution_number,
        "status": run.status,
        "state": state,
        "started_by": run.started_by,
        "retry_attempt": run.retry_attempt,
        "started_at": run.started_at,
        "completed_at": run.completed_at,
        "duration_ms": None if run.duration is None else round(run.duration.total_seconds() * 1000),
        "items_crawled": pages,
        "items_indexed": indexed,
        "error_message": run.error_message,
        "cancel_at": run.cancel_at,
        "cancel_reason": run.cancel_reason,
        "continue_with": continue_command(found, state),
    }


def _progress(run: Run, metrics: Mapping[str, Any], counts: Mapping[str, int], now: datetime) -> RunProgress:
    entries = metrics.get("entries", {})
    pages = counts.get(RunCounter.PAGES, 0) if run.is_open else run.items_crawled
    seconds = ((run.completed_at or now) - run.started_at).total_seconds()
    return RunProgress(
        added=entries.get("added", 0),
        settled=entries.get("settled", 0),
        waiting=waiting(counts) if run.is_open else 0,
        pages=pages,
        requests=metrics.get("requests_total", 0),
        pages_per_s=round(pages / seconds, 2) if seconds > 0 else None,
    )
