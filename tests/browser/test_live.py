"""The page follows what happens, says when it cannot, and catches up."""

import asyncio
from urllib.parse import quote

import asyncpg
import httpx
import pytest
from playwright.async_api import Browser, Page
from tests.support.browsing import PATIENCE_MS, signed_in, watched
from tests.support.dashboard_server import CREDENTIALS, Dashboard
from tests.support.run_log_lines import logged_runs

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

_STATE = "(state) => document.getElementById('live').dataset.state === state"


async def _scheduled_job(dashboard: Dashboard) -> tuple[str, str]:
    """The id and the source of a job that can be paused."""
    db = await asyncpg.connect(dashboard.dsn)
    try:
        row = await db.fetchrow(
            "SELECT j.public_id, s.name FROM job j JOIN source s USING (source_id)"
            " WHERE j.status = 'scheduled' ORDER BY s.name DESC LIMIT 1"
        )
    finally:
        await db.close()
    return str(row["public_id"]), row["name"]


async def _made_job(dashboard: Dashboard) -> str:
    """The id of a job that no other test needs."""
    db = await asyncpg.connect(dashboard.dsn)
    try:
        source = await db.fetchval("SELECT public_id FROM source WHERE name = 'Museum Notes'")
    finally:
        await db.close()
    body = {"source_id": str(source), "interval_minutes": 600}
    return str((await _act(dashboard, "/api/v1/jobs", body=body))["id"])


async def _act(
    dashboard: Dashboard, path: str, *, method: str = "POST", body: dict[str, object] | None = None
) -> dict[str, object]:
    """Change something as another client would."""
    name, password = CREDENTIALS["admin"]
    async with httpx.AsyncClient(base_url=dashboard.address, timeout=60) as client:
        answer = await client.post("/api/v1/auth/login", json={"username": name, "password": password})
        client.cookies.clear()
        headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        answer = await client.request(method, path, headers=headers, json=body)
        assert answer.status_code < 300, answer.text
        found: dict[str, object] = answer.json() if answer.content else {}
        return found


async def _until(page: Page, state: str) -> None:
    await page.wait_for_function(_STATE, arg=state, timeout=PATIENCE_MS)


async def test_an_event_changes_the_page_without_a_reload(browser: Browser, dashboard: Dashboard):
    job, _ = await _scheduled_job(dashboard)
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open(f"/jobs/{job}")
        await _until(tab.page, "live")
        await tab.page.evaluate("window.sameDocument = true")

        await _act(dashboard, f"/api/v1/jobs/{job}/pause")
        await tab.page.locator("#job-figures .figure-value", has_text="paused").first.wait_for()
        await tab.page.locator(".answer", has_text="is paused").wait_for()
        assert await tab.page.evaluate("window.sameDocument") is True
        await _act(dashboard, f"/api/v1/jobs/{job}/resume")
        await tab.page.locator("#job-figures .figure-value", has_text="scheduled").first.wait_for()
        assert await tab.page.evaluate("window.sameDocument") is True


async def test_an_empty_list_fills_and_empties_without_a_reload(browser: Browser, dashboard: Dashboard):
    job, source = await _scheduled_job(dashboard)
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open(f"/jobs?state=paused&search={quote(source)}")
        await _until(tab.page, "live")
        await tab.page.locator("main h2", has_text="No job matches").wait_for()

        await _act(dashboard, f"/api/v1/jobs/{job}/pause")
        await tab.page.locator("#job-list tbody tr", has_text=source).wait_for()
        await _act(dashboard, f"/api/v1/jobs/{job}/resume")
        await tab.page.locator("main h2", has_text="No job matches").wait_for()


async def test_a_part_that_somebody_works_in_is_not_replaced(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.page.clock.install()
        await tab.open("/overview")
        table = tab.page.locator("#charts details").first
        await table.locator("summary").press("Enter")
        link = tab.page.locator("#now a").first
        await link.focus()
        focused = await link.element_handle()

        for _ in range(2):
            await tab.page.clock.run_for(61_000)
            await tab.page.wait_for_load_state("networkidle")

        assert await table.get_attribute("open") is not None
        assert await tab.page.evaluate("(each) => document.activeElement === each", focused)


@pytest.mark.parametrize("path", ["/workers", "/health-report", "/feeds", "/runs"])
async def test_pages_of_changing_things_say_whether_they_are_live(
    browser: Browser, dashboard: Dashboard, path: str
):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open(path)
        await _until(tab.page, "live")


async def test_a_stream_that_breaks_is_told_and_comes_back(browser: Browser, dashboard: Dashboard):
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/overview")
        await _until(tab.page, "live")

        await asyncio.to_thread(dashboard.stop)
        try:
            await _until(tab.page, "waiting")
            assert "not live" in await tab.page.locator("#live").inner_text()
        finally:
            await asyncio.to_thread(dashboard.start)
        await _until(tab.page, "live")


async def test_a_log_follows_its_run_and_loses_no_line_over_a_restart(browser: Browser, dashboard: Dashboard):
    hostile = "<img src=x onerror=window.hacked=1>\u202e<script>window.hacked=1</script>"
    async with (
        logged_runs(dashboard.dsn) as runs,
        signed_in(browser, dashboard.address, "user") as context,
    ):
        run = await runs.run("http://logged.test/")
        tab = await watched(context, dashboard.address)
        await tab.open(f"/runs/{run.run_id}")
        lines = tab.page.locator("#log .log-line")

        await runs.say(run, "first", hostile)
        await lines.filter(has_text="onerror=window.hacked").wait_for()
        assert await tab.page.evaluate("window.hacked") is None
        assert await tab.page.locator("#log img, #log script").count() == 0

        await asyncio.to_thread(dashboard.stop)
        try:
            await tab.page.locator("[data-log-state=''][data-state]:not([data-state=live])").wait_for()
            await runs.say(run, "while it was away")
        finally:
            await asyncio.to_thread(dashboard.start)
        await lines.filter(has_text="while it was away").wait_for()
        await runs.say(run, "after it came back")
        await lines.filter(has_text="after it came back").wait_for()
        shown = await lines.locator(".crawled:not(.log-fields)").all_inner_texts()
        assert [each for each in shown if each in ("first", "while it was away", "after it came back")] == [
            "first",
            "while it was away",
            "after it came back",
        ]


async def test_a_page_whose_session_is_over_leads_to_the_sign_in_and_back(
    browser: Browser, dashboard: Dashboard
):
    name, password = CREDENTIALS["user"]
    async with signed_in(browser, dashboard.address, "") as context:
        tab = await watched(context, dashboard.address)
        await tab.open("/login?next=/workers")
        await tab.page.get_by_label("User name").fill(name)
        await tab.page.get_by_label("Password").fill(password)
        await tab.page.get_by_role("button", name="Sign in").click()
        await tab.page.locator("#worker-list").wait_for()

        await context.clear_cookies()

        await tab.page.wait_for_url("**/login?next=%2Fworkers")


async def test_a_page_of_something_that_was_removed_says_so(browser: Browser, dashboard: Dashboard):
    job = await _made_job(dashboard)
    async with signed_in(browser, dashboard.address, "user") as context:
        tab = await watched(context, dashboard.address)
        await tab.open(f"/jobs/{job}")
        await _until(tab.page, "live")

        await _act(dashboard, f"/api/v1/jobs/{job}", method="DELETE")

        await tab.page.locator("main h1", has_text="Nothing is here").wait_for()
