"""All routers of the API. Fixed paths are registered before paths with an id (APG-06)."""

from outrider.web.api.v1 import (
    executions,
    feeds,
    job_actions,
    job_logs,
    jobs,
    runs,
    scheduler,
    site_trials,
    source_actions,
    source_import,
    sources,
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
    source_import.router,
    site_trials.router,
    source_actions.router,
    sources.router,
    feeds.router,
)
