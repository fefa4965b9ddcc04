"""Take the pictures of the dashboard in docs/images: `make screenshots`.

Those of the pages come from the demo; `first-hour-*` come from the walk of a new user on an empty server.
Light, 1280 by 800, each under 150 kB. Arguments: `demo` or `first-hour` takes only these.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from playwright.async_api import Browser, Page
from running_demo import RunningDemo, running_demo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browser import installed_browser, running_browser  # noqa: E402
from tests.support.newcomer import Newcomer  # noqa: E402
from tests.support.serving import serving  # noqa: E402

from outrider.db.temporary import temporary_folder  # noqa: E402
from outrider.demo import demo_site  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
# The name of the picture, the path, and the link to follow there.
PAGES = (
    ("overview", "/overview?since=24h", ""),
    ("frontier", "/frontier", ""),
    ("hosts", "/hosts", ""),
    ("host", "/hosts/harbour-gazette.test", ""),
    ("sources", "/sources", ""),
    ("source-new", "/sources/new", ""),
    ("jobs", "/jobs", ""),
    ("job", "/jobs?search=Valley", "main table a[href*='/jobs/']"),
    ("runs", "/runs", ""),
    ("run", "/runs?source=Harbour+Gazette", "main table a[href*='/runs/']"),
    ("scheduler", "/scheduler", ""),
    ("url", "/frontier?status=dead", "main table a[href*='/urls']"),
    ("health", "/health-report", ""),
    ("users", "/users", ""),
)


async def take_pages(browser: Browser, demo: RunningDemo) -> int:
    """Take the pictures of the pages; returns how many are too large."""
    context = await browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    sign_in = {"username": demo.user, "password": demo.password}
    await context.request.post(f"{demo.address}/api/v1/auth/login", data=sign_in)
    page = await context.new_page()
    too_large = 0
    for name, path, link in PAGES:
        await _open(page, demo.address + path, link)
        too_large += await _shoot(page, f"dashboard-{name}")
    return too_large


async def take_first_hour(browser: Browser) -> int:
    """Take a picture of each step of a new user; returns how many are too large."""
    too_large = 0

    async def picture(page: Page, name: str) -> None:
        nonlocal too_large
        await page.wait_for_timeout(800)  # charts are drawn
        too_large += await _shoot(page, f"first-hour-{name}")

    settings = {"OUTRIDER_CONTACT": "you@example.com", "OUTRIDER_DELAY": "500ms"}
    with temporary_folder("first-hour") as folder:
        async with demo_site() as site, serving(folder, settings=settings) as server:
            link = re.search(r"http\S+setup\?code=\S+", " ".join(server.started["notices"]))
            assert link is not None
            await Newcomer(browser, server.address, link[0], site.url, picture).walk()
    return too_large


async def _shoot(page: Page, name: str) -> bool:
    """Take a picture; True if it is too large."""
    target = IMAGES / f"{name}.png"
    await page.screenshot(path=target)
    size = target.stat().st_size
    print(f"{target.relative_to(ROOT)}  {size / 1000:.0f} kB{'  too large' if size > LARGEST else ''}")
    return size > LARGEST


async def _open(page: Page, address: str, link: str) -> None:
    await page.goto(address)
    if link:
        target = await page.locator(link).first.get_attribute("href")
        assert target is not None
        await page.goto(address.split("/", 3)[0] + "//" + address.split("/", 3)[2] + target)
    await page.wait_for_timeout(800)  # charts are drawn


async def take(wanted: set[str]) -> int:
    """Take the wanted pictures; returns how many are too large."""
    program = installed_browser()
    if program is None:
        print("there is no browser, so there are no pictures", file=sys.stderr)
        return 1
    too_large = 0
    async with running_browser(program) as browser:
        if "first-hour" in wanted:
            too_large += await take_first_hour(browser)
        if "demo" in wanted:
            with running_demo() as demo:
                too_large += await take_pages(browser, demo)
    return too_large


def main() -> None:
    sys.exit(1 if asyncio.run(take(set(sys.argv[1:]) or {"demo", "first-hour"})) else 0)


if __name__ == "__main__":
    main()
