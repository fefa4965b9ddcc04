"""Every page in both themes and at both widths, for administrators and for those who may look."""

import re

import pytest
from playwright.async_api import Browser, expect
from tests.support.browsing import (
    DESKTOP,
    PHONE,
    Watched,
    axe,
    clipped_tables,
    in_tabs,
    overflow,
    show,
    signed_in,
    watched,
)
from tests.support.dashboard_server import Dashboard
from tests.support.page_paths import NOT_PAGES, PagePaths

from outrider.web.dashboard.routers import PAGES

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]


async def problems_of(tab: Watched, path: str, first: int, second: int) -> list[str]:
    """Open a page at one width, then change the theme and the width."""
    status = await tab.open(path)
    if status != 200:
        return [f"answered {status}"]
    found = [f"at {first} px: {each}" for each in await overflow(tab.page)]
    found += [f"at {first} px, a table is clipped: {each}" for each in await clipped_tables(tab.page, first)]
    found += [f"axe: {each}" for each in await axe(tab.page)]
    await show(tab.page, theme="dark", width=second)
    found += [f"at {second} px: {each}" for each in await overflow(tab.page)]
    found += [f"axe, dark: {each}" for each in await axe(tab.page, only_contrast=True)]
    await show(tab.page, theme="light", width=first)
    return found + [f"console: {each}" for each in tab.complaints]


async def test_every_page_of_an_administrator_is_right(
    browser: Browser, dashboard: Dashboard, paths: PagePaths
):
    async with signed_in(browser, dashboard.address, "admin") as context:
        wrong = await in_tabs(
            context, dashboard.address, paths.admin, lambda tab, path: problems_of(tab, path, DESKTOP, PHONE)
        )

    assert wrong == []


async def test_every_page_of_a_reader_is_right(browser: Browser, dashboard: Dashboard, paths: PagePaths):
    async with signed_in(browser, dashboard.address, "user", width=PHONE) as context:
        wrong = await in_tabs(
            context, dashboard.address, paths.user, lambda tab, path: problems_of(tab, path, PHONE, DESKTOP)
        )

    assert wrong == []


async def test_the_sign_in_is_right(browser: Browser, dashboard: Dashboard, paths: PagePaths):
    async with signed_in(browser, dashboard.address, "") as context:
        wrong = await in_tabs(
            context,
            dashboard.address,
            paths.anonymous,
            lambda tab, path: problems_of(tab, path, DESKTOP, PHONE),
        )

    assert wrong == []


async def test_no_page_is_left_out(paths: PagePaths):
    shown = [path.partition("?")[0] for path in paths.all]
    routes = {route.path for router in PAGES for route in router.routes.routes if "GET" in route.methods}
    patterns = {each: re.compile(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(each)) + "$") for each in routes}

    assert len(routes) > 50
    left_out = [each for each in routes if not any(patterns[each].match(path) for path in shown)]
    assert sorted(left_out) == sorted(NOT_PAGES)


async def test_every_kind_of_link_leads_somewhere(browser: Browser, dashboard: Dashboard, paths: PagePaths):
    found: dict[str, str] = {}

    async def collect(tab: Watched, path: str) -> list[str]:
        await tab.open(path)
        links = await tab.page.locator("a[href^='/']").evaluate_all(
            "(links) => links.map((each) => each.getAttribute('href'))"
        )
        for link in links:
            kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]+|\d+|[a-z-]+\.test", "*", link.partition("?")[0])
            found.setdefault(kind, link)
        return []

    async with signed_in(browser, dashboard.address, "admin", java_script_enabled=False) as context:
        await in_tabs(context, dashboard.address, paths.admin, collect)
        statuses = {
            link: (await context.request.get(dashboard.address + link)).status for link in found.values()
        }

    assert len(statuses) > 40
    assert {link: status for link, status in statuses.items() if status != 200} == {}


async def test_what_is_not_there_or_not_allowed_is_told(browser: Browser, dashboard: Dashboard):
    refused = {"/users": 403, "/sources/new": 403, "/no-such-page": 404, "/jobs/999999": 404}
    wrong = []
    async with signed_in(browser, dashboard.address, "user", width=PHONE) as context:
        tab = await watched(context, dashboard.address)
        for path, status in refused.items():
            wrong += [path] if await tab.open(path) != status else []
            wrong += [f"{path}: {each}" for each in (*await overflow(tab.page), *await axe(tab.page))]
            await expect(tab.page.get_by_role("link", name="Go to the overview")).to_be_visible()

    assert wrong == []
