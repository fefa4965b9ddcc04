"""Take the pictures of the dashboard in docs/images from the demo: `make screenshots`.

Light, 1280 by 800, each under 150 kB.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Page
from running_demo import RunningDemo, running_demo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browser import installed_browser, running_browser  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
# The name of the picture, the path, and the link to follow there.
PAGES = (
    ("overview", "/overview", ""),
    ("frontier", "/frontier", ""),
    ("hosts", "/hosts", ""),
    ("host", "/hosts/harbour-gazette.test", ""),
    ("sources", "/sources", ""),
    ("source-new", "/sources/new", ""),
    ("jobs", "/jobs", ""),
    ("job", "/jobs?search=Valley", "main table a[href*='/jobs/']"),
    ("runs", "/runs", ""),
    ("run", "/runs", "main table a[href*='/runs/']"),
    ("scheduler", "/scheduler", ""),
    ("url", "/frontier?status=dead", "main table a[href*='/urls']"),
    ("health", "/health-report", ""),
    ("users", "/users", ""),
)


async def take(demo: RunningDemo) -> int:
    """Take all pictures; returns how many are too large."""
    browser_program = installed_browser()
    if browser_program is None:
        print("there is no browser, so there are no pictures", file=sys.stderr)
        return 1
    too_large = 0
    async with running_browser(browser_program) as browser:
        context = await browser.new_context(
            viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        context.set_default_timeout(60_000)
        sign_in = {"username": demo.user, "password": demo.password}
        await context.request.post(f"{demo.address}/api/v1/auth/login", data=sign_in)
        page = await context.new_page()
        for name, path, link in PAGES:
            await _open(page, demo.address + path, link)
            target = IMAGES / f"dashboard-{name}.png"
            await page.screenshot(path=target)
            size = target.stat().st_size
            too_large += size > LARGEST
            print(
                f"{target.relative_to(ROOT)}  {size / 1000:.0f} kB{'  too large' if size > LARGEST else ''}"
            )
    return too_large


async def _open(page: Page, address: str, link: str) -> None:
    await page.goto(address)
    if link:
        target = await page.locator(link).first.get_attribute("href")
        assert target is not None
        await page.goto(address.split("/", 3)[0] + "//" + address.split("/", 3)[2] + target)
    await page.wait_for_timeout(800)  # charts are drawn


def main() -> None:
    with running_demo() as demo:
        sys.exit(1 if asyncio.run(take(demo)) else 0)


if __name__ == "__main__":
    main()
