"""Use cases of the scheduler on a server."""

from outrider.remote.server import Server
from outrider.services.jobs.scheduler import DistributionReport, RebalanceReport, SchedulerStatus

SCHEDULER = "/api/v1/scheduler"


async def scheduler_status(server: Server) -> SchedulerStatus:
    """See `services.scheduler.scheduler_status`."""
    return await server.get(SchedulerStatus, f"{SCHEDULER}/metrics")


async def show_distribution(server: Server) -> DistributionReport:
    """See `services.scheduler.show_distribution`."""
    return await server.get(DistributionReport, f"{SCHEDULER}/distribution")


async def rebalance_jobs(server: Server, *, dry_run: bool = False) -> RebalanceReport:
    """See `services.scheduler.rebalance_jobs`."""
    return await server.post(RebalanceReport, f"{SCHEDULER}/rebalance{'/preview' if dry_run else ''}")
