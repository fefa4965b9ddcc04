"""All routers of the API. Fixed paths are registered before paths with an id (APG-06)."""

from outrider.web.api import health, metrics
from outrider.web.api.v1 import (
    admin_pages,
    alerts,
    audit,
    auth,
    discovered_domains,
    discovered_links,
    domains,
    events,
    executions,
    feeds,
    frontier,
    frontier_changes,
    internal_fetch,
    job_actions,
    job_logs,
    jobs,
    maintenance,
    pages,
    redirect_chains,
    runs,
    scheduler,
    site_trials,
    source_actions,
    source_import,
    sources,
    stats,
    storage,
    streams,
    timeseries,
    tokens,
    urls,
    users,
    workers,
)
from outrider.web.context import ServerContext
from outrider.web.router import ApiRouter

ROUTERS: tuple[ApiRouter, ...] = (
    health.router,
    metrics.router,
    timeseries.router,
    audit.router,
    auth.router,
    tokens.router,
    users.router,
    workers.router,
    stats.router,
    frontier.router,
    frontier_changes.router,
    urls.router,
    pages.router,
    admin_pages.router,
    alerts.router,
    domains.router,
    discovered_links.router,
    discovered_domains.router,
    redirect_chains.router,
    storage.router,
    events.router,
    streams.router,
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
    maintenance.router,
)


def routers_for(context: ServerContext) -> tuple[ApiRouter, ...]:
    """All routers that exist with these settings."""
    has_secret = bool(context.settings.auth.internal_secret)
    return (*ROUTERS, internal_fetch.router) if has_secret else ROUTERS
