"""All pages of the dashboard. Fixed paths come before paths with an id."""

from outrider.web.dashboard import (
    overview,
    settings,
    sign_in,
    site_actions,
    site_files,
    site_tabs,
    sites,
    users,
)
from outrider.web.dashboard.pages import PageRouter

PAGES: tuple[PageRouter, ...] = (
    sign_in.router,
    overview.router,
    settings.router,
    users.router,
    sites.router,
    site_files.router,
    site_actions.router,
    site_tabs.router,
)
