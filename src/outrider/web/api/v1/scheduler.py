"""`/api/v1/scheduler`: its figures, the distribution of jobs, and a rebalance (API-45 to API-48)."""

from outrider.auth.model import Role
from outrider.services.jobs.scheduler import (
    DistributionReport,
    RebalanceReport,
    SchedulerStatus,
    rebalance_jobs,
    scheduler_status,
    show_distribution,
)
from outrider.web.api.v1.shapes.scheduler import DistributionShape
from outrider.web.dependencies import Context, Db
from outrider.web.router import ApiRouter

router = ApiRouter("scheduler")


@router.get(
    "/api/v1/scheduler/metrics",
    Role.USER,
    summary="Show the schedulers and their figures",
    result=SchedulerStatus,
    errors=(401,),
)
async def get_scheduler_metrics(db: Db, context: Context) -> SchedulerStatus:
    """Jobs by state, executions, the success rate, and what needs a look (SCH-14, SCH-16)."""
    return await scheduler_status(db, context.settings.jobs)


@router.get(
    "/api/v1/scheduler/distribution",
    Role.USER,
    summary="Show how runs are spread over the day",
    result=DistributionShape,
    errors=(401,),
)
async def get_scheduler_distribution(db: Db, context: Context) -> DistributionReport:
    """The runs of the next 24 hours by the hour; `message` says if load balancing is off."""
    return await show_distribution(db, context.settings.jobs)


@router.post(
    "/api/v1/scheduler/rebalance/preview",
    Role.ADMIN,
    summary="Preview a rebalance",
    result=RebalanceReport,
    action="scheduler.preview_rebalance",
    errors=(401, 403, 409, 503),
)
async def post_rebalance_preview(db: Db, context: Context) -> RebalanceReport:
    """What a rebalance would move now. Changes nothing."""
    return await rebalance_jobs(db, context.settings.jobs, dry_run=True)


@router.post(
    "/api/v1/scheduler/rebalance",
    Role.ADMIN,
    summary="Rebalance jobs",
    result=RebalanceReport,
    action="scheduler.rebalance",
    errors=(401, 403, 409, 503),
)
async def post_rebalance(db: Db, context: Context) -> RebalanceReport:
    """Spread jobs more evenly over the day."""
    return await rebalance_jobs(db, context.settings.jobs)
