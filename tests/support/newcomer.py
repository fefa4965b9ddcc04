"""The first hour of a new user with the dashboard, step by step, found only by what the pages show."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import Browser, BrowserContext, Page, expect

PATIENCE_MS = 60_000
SIZE = {"width": 1280, "height": 800}
ADMIN, COLLEAGUE = ("ada", "a long password of ada"), ("bob", "a long password of bob")

LISTS = ("Frontier", "Hosts", "Sources", "Feeds", "Discovered", "Jobs", "Runs", "Workers", "Sites")
CONTROLS = "main form[method=post], main input[name=selected], main a.btn-primary"

Picture = Callable[[Page, str], Awaitable[None]]


@dataclass(slots=True)
class Newcomer:
    """Somebody who has the link that `outrider serve` printed, and a site to crawl."""

    browser: Browser
    address: str
    setup_link: str
    site: str
    picture: Picture

    async def walk(self) -> None:
        context = await self._context()
        page = await context.new_page()
        await self.creates_the_administrator(page)
        await self.adds_a_site(page)
        await self.watches_its_first_crawl(page)
        await self.finds_out_why_a_page_was_not_fetched(page)
        await self.slows_a_host_down(page)
        await self.schedules_a_job_every_6_hours(page)
        await self.cancels_a_run(page)
        await self.invites_a_colleague(page)
        await context.close()
        await self.colleague_signs_in()

    async def _context(self) -> BrowserContext:
        context = await self.browser.new_context(
            viewport=SIZE,
            color_scheme="light",
            reduced_motion="reduce",  # type: ignore[arg-type]
        )
        context.set_default_timeout(PATIENCE_MS)
        return context

    async def creates_the_administrator(self, page: Page) -> None:
        await page.goto(self.setup_link)
        await page.get_by_label("User name").fill(ADMIN[0])
        await page.get_by_label("Password").fill(ADMIN[1])
        await self.picture(page, "1-administrator")
        await page.get_by_role("button", name="Create and sign in").click()
        await page.wait_for_url("**/overview")

    async def adds_a_site(self, page: Page) -> None:
        await page.get_by_role("link", name="Add a source").click()
        await page.get_by_label("Address of the site").fill(self.site)
        await page.get_by_role("button", name="Search the site").click()
        await page.get_by_label("Name", exact=True).wait_for()
        await page.get_by_label("How pages are found").select_option(label="both")
        await self.picture(page, "2-site")
        await page.get_by_role("button", name="Watch this site").click()
        await page.get_by_role("heading", level=1).wait_for()

    async def watches_its_first_crawl(self, page: Page) -> None:
        await self._menu(page, "Runs")
        await page.get_by_role("link", name="Start a crawl").first.click()
        await page.get_by_label("Start URLs, one a line").fill(self.site)
        await page.get_by_role("button", name="Start", exact=True).click()
        await page.get_by_role("heading", name="Run ").wait_for()
        await page.locator(".log-line").nth(1).wait_for()  # the log comes by itself
        await expect(page.locator("progress")).not_to_have_attribute("value", "0")  # and so do the figures
        await self.picture(page, "3-first-crawl")

    async def finds_out_why_a_page_was_not_fetched(self, page: Page) -> None:
        await page.get_by_label("Find a URL, host, source or job").fill(f"{self.site}private/diary")
        await page.get_by_label("Find a URL, host, source or job").press("Enter")
        await page.get_by_text("disallows it", exact=True).wait_for()
        await expect(page.locator("main")).to_contain_text("by line")
        await self.picture(page, "4-why-not")

    async def slows_a_host_down(self, page: Page) -> None:
        await self._menu(page, "Hosts")
        await page.locator("main table a").first.click()
        await page.get_by_label("Seconds between two requests").fill("5")
        await page.get_by_role("button", name="Set delay").click()
        await expect(page.get_by_role("status").filter(has_text="at most every 5 s")).to_be_visible()
        await self.picture(page, "5-slow-host")

    async def schedules_a_job_every_6_hours(self, page: Page) -> None:
        await self._menu(page, "Sources")
        await page.locator("main table td.name a").first.click()
        await page.locator("main a[href*='/jobs/']").first.click()
        await page.get_by_role("link", name="Edit").click()
        await page.get_by_label("Number").fill("6")
        await page.get_by_label("Unit").select_option("hours")
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".answer")).to_contain_text("every 6 hours")
        await self.picture(page, "6-every-6-hours")

    async def cancels_a_run(self, page: Page) -> None:
        await self._menu(page, "Runs")
        await page.get_by_label("State").select_option("running")
        await page.get_by_role("button", name="Filter").click()
        await page.locator("main table a[href*='/runs/']").first.click()
        await page.get_by_role("link", name="Cancel the run").click()
        dialog = page.get_by_role("dialog")
        await dialog.wait_for()
        await self.picture(page, "7-cancel")
        await dialog.get_by_role("button", name="Cancel").click()
        await expect(page.locator("main")).to_contain_text("cancelled")

    async def invites_a_colleague(self, page: Page) -> None:
        await self._menu(page, "Users")
        await page.get_by_label("User name").fill(COLLEAGUE[0])
        await page.get_by_label("Password, at least 10 characters").fill(COLLEAGUE[1])
        await page.get_by_label("Role").select_option(label="may look")
        await page.get_by_role("button", name="Add", exact=True).click()
        await expect(page.locator("main table")).to_contain_text(COLLEAGUE[0])
        await self.picture(page, "8-colleague")

    async def colleague_signs_in(self) -> None:
        """The colleague sees everything, and no control that changes anything."""
        context = await self._context()
        page = await context.new_page()
        await page.goto(f"{self.address}/jobs")
        await page.get_by_label("User name").fill(COLLEAGUE[0])
        await page.get_by_label("Password").fill(COLLEAGUE[1])
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/jobs")
        for name in (
            "Frontier",
            "Hosts",
            "Sources",
            "Feeds",
            "Discovered",
            "Jobs",
            "Runs",
            "Workers",
            "Sites",
        ):
            await self._menu(page, name)
            await expect(page.locator(CONTROLS)).to_have_count(0)
        await expect(page.get_by_role("link", name="Users")).to_have_count(0)
        await self._menu(page, "Jobs")
        await self.picture(page, "9-colleague-looks")
        await context.close()

    async def _menu(self, page: Page, name: str) -> None:
        await page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True).click()
        await page.get_by_role("heading", level=1, name=name).wait_for()
