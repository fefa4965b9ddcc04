"""All routers of the API. Fixed paths are registered before paths with an id (APG-06)."""

from outrider.web.api.v1 import (
    admin_pages,
    audit,
    auth,
    discovered_domains,
    discovered_links,
    domains,
    events,
    frontier,
    frontier_changes,
    pages,
    redirect_chains,
    stats,
    storage,
    streams,
    tokens,
    urls,
    users,
    workers,
)
from outrider.web.router import ApiRouter

ROUTERS: tuple[ApiRouter, ...] = (
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
    domains.router,
    discovered_links.router,
    discovered_domains.router,
    redirect_chains.router,
    storage.router,
    events.router,
    streams.router,
)
