"""The figures of the jobs of a simulation: runs, skipped slots, adaptive intervals, distribution. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from outrider.jobs.distribution import Distribution
from outrider.jobs.rebalance import RebalancePlan
from outrider.runs.model import RunStatus

# The upper limits of the groups in which intervals are reported.
_GROUPS = {
    "up to 30 minutes": timedelta(minutes=30),
    "up to 1 hour": timedelta(hours=1),
    "up to 4 hours": timedelta(hours=4),
    "up to 12 hours": timedelta(hours=12),
    "up to 24 hours": timedelta(hours=24),
}
_LONGER = "longer"


@dataclass(frozen=True, slots=True)
class SimulatedRun:
    """One run of a job. A run that goes on has no end."""

    job_id: int
    status: RunStatus
    is_retry: bool
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class JobFindings:
    """The jobs at the end of a simulation, before and after a rebalance."""

    intervals: Mapping[int, timedelta]  # as set, by job
    adaptive: Mapping[int, timedelta]  # in force, by job: those of the adaptive state
    runs: Sequence[SimulatedRun]
    ended_at: datetime
    before: Distribution
    after: Distribution
    rebalance: RebalancePlan


@dataclass(frozen=True, slots=True)
class SimulatedJobFigures:
    """The part of a report about jobs."""

    jobs: int
    runs: int
    runs_at_fixed_intervals: int  # what the same time would have brought without adaptive intervals
    by_status: Mapping[str, int]
    retries: int
    skipped_slots: int  # times of a rhythm that passed while the run before went on
    stretched: int  # jobs whose adaptive interval is longer than their own
    intervals: Mapping[str, int]  # jobs by the interval in force
    score_before: float
    score_after: float
    moved: int
    not_moved: Mapping[str, int]  # by reason
    hourly_before: Sequence[int]
    hourly_after: Sequence[int]


def job_figures(found: JobFindings, lasts: timedelta) -> SimulatedJobFigures:
    """Summarise the jobs of a simulation that lasted this long."""
    statuses = Counter(run.status.value for run in found.runs)
    reasons = Counter(each.reason.value for each in found.rebalance.skipped)
    in_force = {job: max(own, found.adaptive.get(job, own)) for job, own in found.intervals.items()}
    groups = Counter(_group_of(interval) for interval in in_force.values())
    return SimulatedJobFigures(
        jobs=len(found.intervals),
        runs=len(found.runs),
        runs_at_fixed_intervals=sum(lasts // interval for interval in found.intervals.values()),
        by_status={status.value: statuses[status.value] for status in RunStatus},
        retries=sum(run.is_retry for run in found.runs),
        skipped_slots=sum(
            skipped_slots(run, found.intervals[run.job_id], found.ended_at) for run in found.runs
        ),
        stretched=sum(in_force[job] > own for job, own in found.intervals.items()),
        intervals={name: groups[name] for name in (*_GROUPS, _LONGER) if groups[name]},
        score_before=round(found.before.distribution_score, 4),
        score_after=round(found.after.distribution_score, 4),
        moved=found.rebalance.total_moves,
        not_moved=dict(sorted(reasons.items())),
        hourly_before=found.before.hourly_counts,
        hourly_after=found.after.hourly_counts,
    )


def skipped_slots(run: SimulatedRun, interval: timedelta, now: datetime) -> int:
    """How many times of the rhythm passed while this run went on: they are not made up for."""
    return ((run.ended_at or now) - run.started_at) // interval


def _group_of(interval: timedelta) -> str:
    return next((name for name, limit in _GROUPS.items() if interval <= limit), _LONGER)
