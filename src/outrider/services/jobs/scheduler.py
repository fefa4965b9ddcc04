"""Use cases of the scheduler: its state, the distribution of jobs over the day, and a rebalance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import asyncpg

from outrider.errors import Conflict, Unavailable
from outrider.jobs import rebalancing
from outrider.jobs.distribution import Distribution, distribution_of_rhythms
from outrider.jobs.figures import JobFigures, read_figures
from outrider.jobs.options import JobOptions
from outrider.jobs.rebalance import Fixed, RebalancePlan
from outrider.jobs.schedulers import SchedulerLine, list_schedulers
from outrider.jobs.store import JobStore
from outrider.jobs.warning_signs import warning_signs
from outrider.services.as_json import as_json
from outrider.services.from_json import fields_from_json

BALANCING_IS_OFF = (
    "load balancing is switched off by OUTRIDER_LOAD_BALANCING: a new job starts its rhythm at once"
)


@dataclass(frozen=True, slots=True)
class SchedulerStatus:
    """All schedulers, the figures of jobs and runs (SCH-14), and what needs a look (SCH-16)."""

    enabled: bool  # whether `outrider watch` runs a scheduler with these settings (SCH-15)
    schedulers: Sequence[SchedulerLine]
    figures: JobFigures
    last_check_at: datetime | None
    last_metrics_update: str | None
    stale_locks_cleared: int
    distribution_score: float
    warnings: Sequence[str]

    @property
    def alive(self) -> Sequence[SchedulerLine]:
        """The schedulers that run."""
        return [each for each in self.schedulers if each.is_alive]


@dataclass(frozen=True, slots=True)
class DistributionReport:
    """How evenly jobs are spread over the day (BAL-09), and whether new ones are (BAL-12)."""

    load_balancing: bool
    distribution: Distribution

    def json_form(self) -> dict[str, Any]:
        """The fields of the distribution, and a sentence if load balancing is off."""
        note = {} if self.load_balancing else {"message": BALANCING_IS_OFF}
        return {"load_balancing": self.load_balancing, **as_json(self.distribution), **note}

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`."""
        return cls(value["load_balancing"], fields_from_json(Distribution, value))


@dataclass(frozen=True, slots=True)
class JobMove:
    """A job that changes its slot."""

    job_id: int
    from_time: datetime
    to_time: datetime
    from_slot: int
    to_slot: int
    reason: str


@dataclass(frozen=True, slots=True)
class JobKept:
    """A job that must stay in its slot, and why."""

    job_id: int
    reason: Fixed


@dataclass(frozen=True, slots=True)
class RebalanceReport:
    """What a rebalance did, or would do (BAL-11)."""

    dry_run: bool
    moves: Sequence[JobMove]
    skipped: Sequence[JobKept]
    total_moves: int
    jobs_updated: int
    before_score: float
    after_score: float
    improvement: float


async def scheduler_status(db: asyncpg.Connection, options: JobOptions) -> SchedulerStatus:
    """The state of all schedulers on this database."""
    async with db.transaction():
        schedulers = await list_schedulers(db)
        figures = await read_figures(db)
        rhythms = await JobStore().rhythms(db, figures.now)
        spread = distribution_of_rhythms(rhythms, figures.now)
    cleared = sum(each.stale_locks_cleared for each in schedulers)
    reported = [
        each.stats["last_metrics_update"] for each in schedulers if "last_metrics_update" in each.stats
    ]
    return SchedulerStatus(
        enabled=options.enabled,
        schedulers=schedulers,
        figures=figures,
        last_check_at=max((each.beat_at for each in schedulers), default=None),
        last_metrics_update=max(reported, default=None),
        stale_locks_cleared=cleared,
        distribution_score=spread.distribution_score,
        warnings=warning_signs(figures.success_rate, cleared, spread.distribution_score),
    )


async def show_distribution(db: asyncpg.Connection, options: JobOptions) -> DistributionReport:
    """The runs of the next 24 hours by the hour."""
    async with db.transaction():
        now = await JobStore().now(db)
        rhythms = await JobStore().rhythms(db, now)
    return DistributionReport(options.balancing, distribution_of_rhythms(rhythms, now))


async def rebalance_jobs(
    db: asyncpg.Connection, options: JobOptions, *, dry_run: bool = False
) -> RebalanceReport:
    """Spread jobs more evenly over the day; a dry run tells the same and changes nothing.

    Raises Conflict while load balancing is off, and Unavailable if the scheduler is disabled and none runs.
    """
    if not options.balancing:
        raise Conflict(f"{BALANCING_IS_OFF}, so nothing is moved")
    async with db.transaction():
        if not options.enabled and not any(each.is_alive for each in await list_schedulers(db)):
            raise Unavailable(
                "the scheduler is disabled by OUTRIDER_SCHEDULER, and none runs elsewhere: "
                "start `outrider scheduler` first"
            )
        done = await (rebalancing.preview(db) if dry_run else rebalancing.rebalance(db))
    return _report(done.plan, done.jobs_updated, dry_run=dry_run)


def _report(plan: RebalancePlan, jobs_updated: int, *, dry_run: bool) -> RebalanceReport:
    return RebalanceReport(
        dry_run=dry_run,
        moves=[
            JobMove(each.job_id, each.from_time, each.to_time, each.from_slot, each.to_slot, each.reason)
            for each in plan.moves
        ],
        skipped=[JobKept(each.job_id, each.reason) for each in plan.skipped],
        total_moves=plan.total_moves,
        jobs_updated=jobs_updated,
        before_score=plan.before_score,
        after_score=plan.after_score,
        improvement=plan.improvement,
    )
