"""All pages of the dashboard. Fixed paths come before paths with an id."""

from outrider.web.dashboard import overview
from outrider.web.dashboard.pages import PageRouter

PAGES: tuple[PageRouter, ...] = (overview.router,)
