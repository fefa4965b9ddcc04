"""All pages of the dashboard. Fixed paths come before paths with an id."""

from outrider.web.dashboard import (
    frontier,
    frontier_changes,
    host_changes,
    hosts,
    overview,
    search,
    settings,
    sign_in,
    stored_pages,
    urls,
    users,
)
from outrider.web.dashboard.pages import PageRouter

PAGES: tuple[PageRouter, ...] = (
    sign_in.router,
    overview.router,
    search.router,
    urls.router,
    frontier.router,
    frontier_changes.router,
    stored_pages.router,
    host_changes.router,
    hosts.router,
    settings.router,
    users.router,
)
