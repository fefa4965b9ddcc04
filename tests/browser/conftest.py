"""One server on a filled database, and one Chromium, for all tests of the dashboard in a browser."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.browser import installed_browser, running_browser
from tests.support.dashboard_server import Dashboard, dashboard_on
from tests.support.database import TestServer
from tests.support.page_paths import PagePaths, find_paths


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The one Chromium."""
    installed = installed_browser()
    if installed is None:
        pytest.skip("there is no browser: neither npm's Chromium nor the machine's could be had")
    async with running_browser(installed) as started:
        yield started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def dashboard(
    browser: Browser, postgres: TestServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Dashboard]:
    """The dashboard with the newsroom of the demo. Without a browser nothing is filled."""
    data: Path = tmp_path_factory.mktemp("dashboard")
    async with postgres.database(template="template0") as dsn:
        with dashboard_on(dsn, data) as running:
            yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def paths(dashboard: Dashboard) -> PagePaths:
    """The address of every page, with real ids."""
    return await find_paths(dashboard.dsn)
