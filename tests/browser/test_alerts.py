"""The page of alerts in a browser: right at both widths and in both themes, and live."""

from dataclasses import replace

import pytest
from playwright.async_api import Browser, expect
from tests.support.alerts import AlertWatch
from tests.support.browsing import DESKTOP, PHONE, axe, overflow, show, signed_in, watched
from tests.support.dashboard_server import Dashboard

from outrider.alerts.options import AlertOptions
from outrider.db.reconnecting import ReconnectingConnection

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

_IS_LIVE = "() => document.getElementById('live').dataset.state === 'live'"
STRICT = AlertOptions(distribution=1.0, least_planned=1)  # the jobs of the newsroom are never that even


async def test_an_alert_appears_and_closes_on_the_open_page(browser: Browser, dashboard: Dashboard):
    connection = ReconnectingConnection(dashboard.dsn, application_name="test of alerts")
    alerts = AlertWatch(connection, STRICT)
    try:
        await alerts.look()
        async with signed_in(browser, dashboard.address, "user") as context:
            tab = await watched(context, dashboard.address)
            await tab.open("/alerts")
            await tab.page.wait_for_function(_IS_LIVE)
            row = tab.page.locator("#alert-list tbody tr", has_text="spread unevenly")
            await expect(row).to_have_count(0)
            await alerts.wait(600)
            assert "+uneven_schedule" in await alerts.look()

            await expect(row).to_contain_text("open")
            problems = [*await overflow(tab.page), *await axe(tab.page)]
            await show(tab.page, theme="dark", width=PHONE)
            problems += [*await overflow(tab.page), *await axe(tab.page, only_contrast=True)]
            await show(tab.page, theme="light", width=DESKTOP)
            assert problems == []

            alerts.options = replace(AlertOptions(), distribution=0.0, close_after_s=0.0)
            assert "-uneven_schedule" in await alerts.look()
            await expect(row).to_contain_text("closed")
            assert tab.complaints == []
    finally:
        await alerts.run("DELETE FROM alert")
        await connection.close()
