"""Crawled text full of markup, scripts and marks that turn the direction: nothing runs, the layout holds."""

from urllib.parse import quote

import asyncpg
import pytest
from playwright.async_api import Browser
from tests.support.browsing import DESKTOP, PHONE, Watched, in_tabs, overflow, show, signed_in
from tests.support.dashboard_server import Dashboard
from tests.support.page_paths import PagePaths

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]

HOSTILE = (
    "\"><img src=x onerror=window.hacked=1><script>window.hacked=1</script>'--></title>"
    "<svg onload=window.hacked=1><a href='javascript:window.hacked=1'>{{ 7 * 7 }}</a>\u202egnp.exe\u2066 "
    + "W"
    * 300
)
LONG = "<script>window.hacked=1</script>" + "long" * 250_000  # 1 MB
JAVASCRIPT = "javascript:window.hacked=1//"

_INTO_THE_DATABASE = (
    (
        "UPDATE document SET title = $1, description = $1, author = $1, canonical_url = $2",
        HOSTILE,
        JAVASCRIPT,
    ),
    ("UPDATE channel SET title = $1, last_error = $1, errors = 3, error_type = 'parse'", HOSTILE),
    ("UPDATE run SET error_message = $1, stack_trace = $1", HOSTILE),
    ("UPDATE run_log SET message = $1", HOSTILE),
    ("UPDATE job SET error_message = $1, failure_count = 1", HOSTILE),
    ("UPDATE source SET disable_reason = $1 WHERE disable_reason IS NOT NULL", HOSTILE),
    ("UPDATE site_link SET url = $2 || link_id, reason = $1, edit_url = $2", HOSTILE, JAVASCRIPT),
    ("UPDATE site_path SET title = $1", HOSTILE),
    ("UPDATE broken_url SET referrers = ARRAY[$1, $2]", HOSTILE, JAVASCRIPT),
    ("UPDATE discovered_link SET url = $2, parent_url = $1", HOSTILE, JAVASCRIPT),
    (
        "UPDATE url SET url = url || '?q=' || $1 WHERE url LIKE '%/20%' AND url NOT LIKE '%/calendar/%'"
        " AND url_hash NOT IN (SELECT url_hash FROM document ORDER BY fetched_at LIMIT 1)"
        " AND url_hash NOT IN (SELECT url_hash FROM document_version)",  # these are found by their address
        HOSTILE,
    ),
    ("UPDATE document_version SET title = $1", HOSTILE),
)


# Pages of errors that repeat what was asked for.
_MISSING = (f"/sites/{quote(HOSTILE[:180], safe='')}", f"/sources/{'W' * 300}", f"/hosts/{'w' * 60}.test")
_JAVASCRIPT_LINKS = """() => [...document.querySelectorAll("a[href], form[action]")]
  .filter((each) => (each.protocol || new URL(each.action, location).protocol) === "javascript:").length"""


async def _plant(dashboard: Dashboard) -> list[str]:
    """Put hostile text where crawled text is stored; returns what the database refused."""
    db = await asyncpg.connect(dashboard.dsn)
    refused = []
    try:
        for statement, *values in _INTO_THE_DATABASE:
            try:
                await db.execute(statement, *values)
            except asyncpg.PostgresError as error:
                refused.append(f"{statement}: {error}")
        await db.execute("UPDATE document SET title = $1 WHERE ctid = (SELECT min(ctid) FROM document)", LONG)
    finally:
        await db.close()
    return refused


async def _problems(tab: Watched, path: str) -> list[str]:
    status = await tab.open(path)
    is_right = status in (404, 422) if path in _MISSING else status == 200
    found = [] if is_right else [f"answered {status}"]
    if path in _MISSING:
        tab.complaints.clear()  # a browser complains about the status itself
    if await tab.page.evaluate("window.hacked !== undefined"):
        found.append("a script of crawled text ran")
    if await tab.page.evaluate(_JAVASCRIPT_LINKS):
        found.append("a javascript: link")
    if await tab.page.locator("img[src=x], main svg[onload], main script").count():
        found.append("crawled markup became elements")
    for width in (DESKTOP, PHONE):
        await show(tab.page, width=width)
        found += [f"at {width} px: {each}" for each in await overflow(tab.page)]
    return found + [f"console: {each}" for each in tab.complaints]


async def test_hostile_text_runs_nothing_and_breaks_no_layout(
    browser: Browser, dashboard: Dashboard, paths: PagePaths
):
    assert await _plant(dashboard) == []
    async with signed_in(browser, dashboard.address, "admin") as context:
        wrong = await in_tabs(context, dashboard.address, (*paths.admin, *_MISSING), _problems)
        assert not wrong, "\n".join(wrong)
