"""All pages of the dashboard. Fixed paths come before paths with an id."""

from outrider.web.dashboard import (
    discovered,
    feeds,
    health,
    job_list,
    job_page,
    overview,
    runs,
    scheduler,
    settings,
    sign_in,
    source_import,
    source_list,
    source_new,
    source_page,
    source_trials,
    users,
    workers,
)
from outrider.web.dashboard.pages import PageRouter

PAGES: tuple[PageRouter, ...] = (
    sign_in.router,
    overview.router,
    settings.router,
    users.router,
    job_list.router,
    job_page.router,
    runs.router,
    scheduler.router,
    workers.router,
    health.router,
    source_import.router,
    source_new.router,
    source_list.router,
    feeds.router,
    source_trials.router,
    source_page.router,
    discovered.router,
)
