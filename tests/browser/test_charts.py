"""Charts show the time that their tables cover."""

import pytest
from playwright.async_api import Browser
from tests.support.browsing import signed_in, watched
from tests.support.dashboard_server import Dashboard

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

# Leaves a line chart its newest row, as a server that has just started has it, and draws it again.
_DRAW_ONE_MOMENT = """() => {
  const place = document.querySelector("[data-chart=line]");
  const rows = [...document.getElementById(place.dataset.for).tBodies[0].rows];
  const only = rows.pop();
  rows.forEach((row) => row.remove());
  document.dispatchEvent(new Event("themechange"));
  const axis = echarts.getInstanceByDom(place).getOption().xAxis[0];
  return { only: new Date(only.querySelector("time").dateTime).getTime(), min: axis.min, max: axis.max };
}"""


async def test_a_chart_of_one_moment_shows_no_future(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/overview")

        drawn = await tab.page.evaluate(_DRAW_ONE_MOMENT)

        assert drawn["max"] == drawn["only"]
        assert drawn["min"] == drawn["only"] - 3_600_000
