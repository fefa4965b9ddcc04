"""What people typed is not lost, and is sent once."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Browser, expect
from tests.support.browsing import signed_in, watched
from tests.support.dashboard_server import CREDENTIALS, Dashboard

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]


async def test_a_refused_form_comes_back_as_it_was_filled_in(browser: Browser, dashboard: Dashboard):
    typed = {"#urls": "ftp://a.test/\nhttp://b.test/", "#depth": "7", "#include": "/news/"}
    async with signed_in(browser, dashboard.address, "admin") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/runs/new")
        await tab.page.locator("summary", has_text="Which URLs").click()
        for field, text in typed.items():
            await tab.page.locator(field).fill(text)
        await tab.page.locator("#scope").select_option("domain")
        await tab.page.get_by_label("Keep the main text").check()
        await tab.page.get_by_role("button", name="Start").click()

        await tab.page.locator("main > .alert-danger", has_text="ftp is not http").wait_for()
        for field, text in typed.items():
            await expect(tab.page.locator(field)).to_have_value(text)
        await expect(tab.page.locator("#scope")).to_have_value("domain")
        await expect(tab.page.get_by_label("Keep the main text")).to_be_checked()

        await tab.open("/runs/new")
        await expect(tab.page.locator("#urls")).to_have_value("")


async def test_a_password_is_not_kept_by_the_browser(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "admin") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/users")
        await tab.page.get_by_label("User name").fill("guest")
        await tab.page.get_by_label("Password, at least").fill("a password to forget")
        await tab.page.route("**/users", lambda route: route.fulfill(status=204))  # the page stays
        await tab.page.get_by_role("button", name="Add", exact=True).click()
        await tab.page.wait_for_function("sessionStorage.length > 0")

        kept = await tab.page.evaluate("JSON.stringify(sessionStorage)")
        assert "guest" in kept
        assert "a password to forget" not in kept


async def test_a_form_whose_button_is_pressed_twice_is_sent_once(browser: Browser, dashboard: Dashboard):
    sent = []
    async with signed_in(browser, dashboard.address, "admin") as context:
        tab = await watched(context, dashboard.address)
        await tab.page.clock.install()
        await tab.open("/runs/new")
        await tab.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # no time passes between both
        await tab.page.route("**/runs", lambda route: route.fulfill(status=204))  # the page stays
        tab.page.on("request", lambda each: sent.append(each.method))
        await tab.page.locator("#urls").fill("http://valley-herald.test/")
        start = tab.page.get_by_role("button", name="Start")
        for _ in range(2):
            await start.click()
            await tab.page.wait_for_load_state("networkidle")

    assert sent == ["POST"]


async def test_a_form_sent_after_the_session_comes_back_after_the_sign_in(
    browser: Browser, dashboard: Dashboard
):
    name, password = CREDENTIALS["admin"]
    async with signed_in(browser, dashboard.address, "") as context:
        tab = await watched(context, dashboard.address)
        page = tab.page

        async def sign_in() -> None:
            await page.get_by_label("User name").fill(name)
            await page.get_by_label("Password").fill(password)
            await page.get_by_role("button", name="Sign in").click()
            await page.locator("#urls").wait_for()

        await tab.open("/frontier/submit")
        await sign_in()
        await page.locator("#urls").fill("http://valley-herald.test/kept")
        await context.clear_cookies()
        await page.get_by_role("button", name="Submit").click()
        await sign_in()

        await expect(page.locator("#urls")).to_have_value("http://valley-herald.test/kept")
