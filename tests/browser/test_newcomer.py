"""A new user gets from the first start to a colleague who may only look, without documentation."""

import re

import pytest
from playwright.async_api import Browser, Page
from tests.support.database import TestServer
from tests.support.newcomer import Newcomer
from tests.support.serving import serving

from outrider.demo import demo_site

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]


async def test_a_newcomer_needs_only_what_the_pages_show(browser: Browser, postgres: TestServer, tmp_path):
    async def no_picture(page: Page, name: str) -> None:
        """Pictures are for `make screenshots`."""

    settings = {"OUTRIDER_CONTACT": "tests@outrider.test", "OUTRIDER_DELAY": "500ms"}
    async with (
        postgres.database() as dsn,
        demo_site() as site,
        serving(tmp_path, settings={**settings, "OUTRIDER_DATABASE_URL": dsn}) as server,
    ):
        link = re.search(r"http\S+setup\?code=\S+", " ".join(server.started["notices"]))
        assert link is not None
        await Newcomer(browser, server.address, link[0], site.url, no_picture).walk()
