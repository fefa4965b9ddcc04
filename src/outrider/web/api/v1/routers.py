"""All routers of the API. Fixed paths are registered before paths with an id (APG-06)."""

from outrider.web.api.v1 import (
    executions,
    job_actions,
    job_logs,
    jobs,
    runs,
    scheduler,
    workers,
)
from outrider.web.router import ApiRouter

ROUTERS: tuple[ApiRouter, ...] = (
    workers.router,
    jobs.router,
    job_actions.router,
    executions.router,
    job_logs.router,
    runs.router,
    scheduler.router,
)
