"""Every page reads without JavaScript, filters filter, and forms work."""

import pytest
from playwright.async_api import Browser
from tests.support.browsing import in_tabs, signed_in, watched
from tests.support.dashboard_server import CREDENTIALS, Dashboard
from tests.support.page_paths import PagePaths

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]


async def test_every_page_reads(browser: Browser, dashboard: Dashboard, paths: PagePaths):
    async def read(tab, path):  # type: ignore[no-untyped-def]
        status = await tab.open(path)
        words = len((await tab.page.locator("main").inner_text()).split())
        return [] if status == 200 and words >= 5 else [f"{status} with {words} words"]

    async with signed_in(browser, dashboard.address, "admin", java_script_enabled=False) as context:
        assert await in_tabs(context, dashboard.address, paths.admin, read) == []


async def test_a_reader_signs_in_filters_and_is_offered_no_change(browser: Browser, dashboard: Dashboard):
    name, password = CREDENTIALS["user"]
    async with signed_in(browser, dashboard.address, "", java_script_enabled=False) as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/sources")
        await tab.page.locator("input[name=name]").fill(name)
        await tab.page.locator("input[name=password]").fill(password)
        await tab.page.locator("main button[type=submit]").click()
        await tab.page.wait_for_url("**/sources")

        await tab.page.locator("main input[name=search]").fill("Harbour")
        await tab.page.locator("main input[name=search]").press("Enter")
        await tab.page.wait_for_url("**search=Harbour**")
        shown = await tab.page.locator("main table").first.inner_text()
        assert "Harbour Gazette" in shown
        assert "Valley Herald" not in shown
        assert await tab.page.locator("main form[method=post]").count() == 0


async def test_a_form_changes_something(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "admin", java_script_enabled=False) as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/hosts/coastal-times.test")
        delay = tab.page.locator("main input[name=seconds]")
        await delay.fill("7")
        await delay.press("Enter")
        await tab.page.locator("[role=status].alert").wait_for()

        await tab.open("/hosts/coastal-times.test")
        assert await tab.page.locator("main input[name=seconds]").input_value() == "7"
