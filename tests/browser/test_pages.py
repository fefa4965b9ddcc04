"""Every page in both themes and at both widths, for administrators and for those who may look."""

import pytest
from playwright.async_api import Browser
from tests.support.browsing import DESKTOP, PHONE, Watched, axe, in_tabs, overflow, show, signed_in
from tests.support.dashboard_server import Dashboard
from tests.support.page_paths import PagePaths

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]


async def problems_of(tab: Watched, path: str, first: int, second: int) -> list[str]:
    """Open a page at one width, then change the theme and the width."""
    status = await tab.open(path)
    if status != 200:
        return [f"answered {status}"]
    found = [f"at {first} px: {each}" for each in await overflow(tab.page)]
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
