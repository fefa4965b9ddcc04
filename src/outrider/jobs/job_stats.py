"""The figures of a job from its executions (JOB-18). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from outrider.runs.model import Run, RunStatus

LOW_SUCCESS_RATE = 0.8  # below it, an operator should look at the job (SCH-16)


@dataclass(frozen=True, slots=True)
class JobStats:
    """The runs of a job. A running execution counts only in `total_executions`."""

    total_executions: int
    successful_runs: int
    failed_runs: int
    cancelled_runs: int
    average_duration: timedelta | None  # of completed runs
    last_execution_at: datetime | None
    next_scheduled_at: datetime | None
    success_rate: float | None  # completed of completed and failed; None before the first


def success_rate(successful: int, failed: int) -> float | None:
    """The share of runs that completed. A cancelled run is neither success nor failure."""
    ended = successful + failed
    return successful / ended if ended else None


def job_stats(executions: Sequence[Run], next_run_at: datetime | None) -> JobStats:
    """The figures over the executions that are kept."""
    by_status = {status: [each for each in executions if each.status is status] for status in RunStatus}
    successful, failed = by_status[RunStatus.COMPLETED], by_status[RunStatus.FAILED]
    durations = [each.duration for each in successful if each.duration is not None]
    return JobStats(
        total_executions=len(executions),
        successful_runs=len(successful),
        failed_runs=len(failed),
        cancelled_runs=len(by_status[RunStatus.CANCELLED]),
        average_duration=sum(durations, timedelta()) / len(durations) if durations else None,
        last_execution_at=max((each.started_at for each in executions), default=None),
        next_scheduled_at=next_run_at,
        success_rate=success_rate(len(successful), len(failed)),
    )
