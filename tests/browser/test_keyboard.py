"""The dashboard without a mouse, and its menu on a phone."""

import pytest
from playwright.async_api import Browser
from tests.support.browsing import PHONE, signed_in, watched
from tests.support.dashboard_server import Dashboard

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

_FOCUS = """() => {
  const at = document.activeElement, look = getComputedStyle(at);
  return [at.id || at.className, look.outlineStyle !== "none" || look.boxShadow !== "none"];
}"""


async def test_the_first_tab_leads_past_the_menu(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/overview")
        await tab.page.keyboard.press("Tab")
        assert await tab.page.evaluate("document.activeElement.className") == "skip-link"
        assert await tab.page.locator(".skip-link").is_visible()

        await tab.page.keyboard.press("Enter")
        assert await tab.page.evaluate("document.activeElement.id") == "content"


async def test_focus_is_visible_wherever_it_goes(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "admin") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/jobs")
        hidden = []
        for _ in range(40):
            await tab.page.keyboard.press("Tab")
            where, is_visible = await tab.page.evaluate(_FOCUS)
            hidden += [] if is_visible else [where]

    assert hidden == []


async def test_the_menu_of_a_phone_opens_by_keyboard(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "user", width=PHONE) as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/overview")
        hosts = tab.page.locator(".menu-list a", has_text="Hosts")
        assert not await hosts.is_visible()

        await tab.page.locator(".menu-button").focus()
        await tab.page.keyboard.press("Enter")
        await hosts.wait_for(state="visible")
        await hosts.focus()
        await tab.page.keyboard.press("Enter")
        await tab.page.wait_for_url("**/hosts")
