"""Charts show the time that their tables cover."""

import pytest
from playwright.async_api import Browser
from tests.support.browsing import signed_in, watched
from tests.support.dashboard_server import Dashboard

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

# Leaves each chart its newest row, as a server that has just started has it, and draws all again.
_DRAW_ONE_MOMENT = """() => {
  for (const place of document.querySelectorAll("[data-chart]")) {
    const rows = [...document.getElementById(place.dataset.for).tBodies[0].rows];
    rows.slice(0, -1).forEach((row) => row.remove());
  }
  document.dispatchEvent(new Event("themechange"));
  return [...document.querySelectorAll("[data-chart]")].map((place) => {
    const axis = echarts.getInstanceByDom(place).getOption().xAxis[0];
    return { minutes: (axis.max - axis.min) / 60000, future: axis.max - Date.now() };
  });
}"""


@pytest.mark.parametrize(("path", "minutes"), [("/overview", 60), ("/hosts/harbour-gazette.test", 24 * 60)])
async def test_all_charts_of_a_page_cover_the_chosen_time_and_no_future(
    browser: Browser, dashboard: Dashboard, path: str, minutes: int
):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open(path)

        drawn = await tab.page.evaluate(_DRAW_ONE_MOMENT)

        assert len(drawn) > 1
        assert [round(each["minutes"]) for each in drawn] == [minutes] * len(drawn)
        assert all(each["future"] <= 0 for each in drawn)
