"""All pages of the dashboard. Fixed paths come before paths with an id."""

from outrider.web.dashboard import overview, settings, sign_in, users
from outrider.web.dashboard.pages import PageRouter

PAGES: tuple[PageRouter, ...] = (
    sign_in.router,
    overview.router,
    settings.router,
    users.router,
)
