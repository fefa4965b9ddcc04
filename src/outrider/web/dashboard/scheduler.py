"""`/scheduler`: are runs spread evenly over the day, and what would a rebalance change? (UI-08)"""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.jobs.distribution import GOOD_SCORE, Distribution
from outrider.services.jobs.scheduler import (
    BALANCING_IS_OFF,
    JobMove,
    RebalanceReport,
    SchedulerStatus,
    rebalance_jobs,
    scheduler_status,
    show_distribution,
)
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db
from outrider.wording import plural

router = PageRouter()

MOST_MOVES_SHOWN = 100
_WIDTH, _HEIGHT = 20, 100  # of a bar in the drawing


@dataclass(frozen=True, slots=True)
class HourBar:
    """One hour of the chart. `x`, `y` and `height` are those of its bar."""

    hour: int
    runs: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class SchedulerPage:
    """The schedulers, and the runs of the next 24 hours by the hour."""

    status: SchedulerStatus
    distribution: Distribution
    load_balancing: bool

    balancing_is_off = BALANCING_IS_OFF

    @property
    def is_even(self) -> bool:
        return self.distribution.distribution_score >= GOOD_SCORE

    @property
    def has_runs(self) -> bool:
        return self.distribution.total_jobs > 0

    @property
    def bars(self) -> Sequence[HourBar]:
        top = max(self.distribution.max_per_hour, 1)
        return [
            HourBar(hour, runs, hour * _WIDTH, _HEIGHT - runs / top * _HEIGHT, runs / top * _HEIGHT)
            for hour, runs in enumerate(self.distribution.hourly_counts)
        ]


@dataclass(frozen=True, slots=True)
class RebalancePage:
    """What a rebalance would do."""

    report: RebalanceReport

    @property
    def moves(self) -> Sequence[JobMove]:
        return self.report.moves[:MOST_MOVES_SHOWN]


@router.get("/scheduler")
async def show_scheduler(request: Request, db: Db, context: Context) -> Response:
    options = context.settings.jobs
    spread = await show_distribution(db, options)
    page = SchedulerPage(await scheduler_status(db, options), spread.distribution, spread.load_balancing)
    return render(request, "scheduler/scheduler.html", page, title="Scheduler")


@router.get("/scheduler/rebalance", Role.ADMIN)
async def preview_rebalance(request: Request, db: Db, context: Context) -> Response:
    page = RebalancePage(await rebalance_jobs(db, context.settings.jobs, dry_run=True))
    return render(request, "scheduler/rebalance.html", page, title="Rebalance")


@router.post("/scheduler/rebalance", "scheduler.rebalance")
async def rebalance_by_form(request: Request, db: Db, context: Context) -> Response:
    report = await rebalance_jobs(db, context.settings.jobs)
    told = f"{plural(report.jobs_updated, 'job')} moved; the score is {report.after_score:.2f} now."
    return done(request, "/scheduler", told)
