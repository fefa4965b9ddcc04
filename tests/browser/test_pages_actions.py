"""What an administrator does: each action asks where it must, once, and says what it did (0092).

All of them with the mouse; those that once failed also with the keyboard alone and without JavaScript.
"""

import re
from dataclasses import dataclass, field
from enum import Enum

import asyncpg
import pytest
from playwright.async_api import Browser, Error, Locator, expect
from tests.support.browsing import Watched, axe, signed_in, watched
from tests.support.dashboard_server import Dashboard
from tests.support.page_paths import PagePaths

from outrider.services.demo.owned_site import NAME as SITE

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]


@dataclass(frozen=True)
class Action:
    """A button of a page, what is filled in before, and the button of the question that follows."""

    path: str
    button: str
    then: str = ""  # part of what the page says afterwards
    fill: dict[str, str] = field(default_factory=dict)
    selects: str = ""  # the first row that allows this verb
    confirm: str = ""
    answers: dict[str, str] = field(default_factory=dict)  # fields of the question
    shows: str = "main .alert-success, main code"  # what is there afterwards and not before


class Way(Enum):
    """How somebody works with a page."""

    MOUSE = "mouse"
    KEYBOARD = "keyboard"
    NO_SCRIPT = "no JavaScript"


# All jobs in one slot, so that a rebalance has something to move.
_CROWD = """
UPDATE job SET next_run_at = now() + interval '3 hours', slot_at = now() + interval '3 hours',
               placed_at = now() - interval '2 days'
 WHERE status = 'scheduled'
"""


_A_JOB = """
SELECT j.public_id FROM job j JOIN source s USING (source_id)
 WHERE j.status = 'scheduled' AND s.enabled ORDER BY j.job_id DESC LIMIT 1
"""


def _actions_in_every_way(job: str, tag: str) -> list[Action]:
    """What is tried with the mouse, with the keyboard and without JavaScript. `tag` differs each time."""
    host, why = "/hosts/valley-herald.test", {"Reason": "a test"}
    redirect = {"From": f"/tested-{tag}", "To": "/contact"}
    return [
        Action("/frontier?status=dead", "Delete", "deleted", selects="delete", confirm="Delete"),
        Action(host, "Block", "1 host blocked", confirm="Block", answers=why),
        Action(host, "Unblock", "asked again"),
        Action(host, "Reset", "1 host reset", confirm="Reset"),
        Action(f"/jobs/{job}", "Run now", "queued to run"),
        Action("/sources", "Disable", selects="disable", confirm="Disable 1 source", answers=why),
        Action("/sources?state=disabled", "Enable", selects="enable", confirm="Enable 1 source"),
        Action("/workers", "Recover the URLs of dead workers", "recover"),
        Action(f"/sites/{SITE}?tab=create", "Create", f"/tested-{tag} leads to /contact now", redirect),
    ]


def _actions_by_mouse(paths: PagePaths) -> list[Action]:
    job, source, domain = (
        next(path for path in paths.user if path.startswith(start))
        for start in ("/jobs/", "/sources/", "/discovered/domains/")
    )
    fetched = next(path for path in paths.user if path.startswith("/urls?url=http"))
    site, urls = f"/sites/{SITE}", {"URLs, one in each line": "http://valley-herald.test/a"}
    reason = {"Reason": "a test"}
    carol = {"User name": "carol", "Password, at least": "password of carol"}
    return [
        Action("/frontier/submit", "Submit", fill=urls, shows="main table"),
        Action("/frontier?status=dead", "Retry", "again", selects="retry", confirm="Retry"),
        Action(fetched, "Fetch soon"),
        Action("/hosts", "Block", "blocked", selects="block", confirm="Block", answers=reason),
        Action("/hosts?blocked=true", "Reset", "reset", selects="reset", confirm="Reset"),
        Action("/hosts/valley-herald.test", "Set delay", "every 3 s", {"Seconds between two requests": "3"}),
        Action("/jobs", "Pause", "paused", selects="pause", confirm="Pause 1 job"),
        Action("/jobs?state=paused", "Resume", selects="resume", confirm="Resume 1 job"),
        Action(f"{job}/edit", "Save", fill={"Number": "6"}),
        Action("/jobs/new", "Add the job", fill={"Source": "Theatre Row", "Number": "5"}),
        Action("/runs/new", "Start", "begun", {"Start URLs, one a line": "http://valley-herald.test/"}),
        Action(source, "Poll now"),
        Action(f"{source}/edit", "Save", fill={"Labels": "news, tested"}),
        Action("/feeds", "Disable"),
        Action("/feeds?view=disabled", "Enable"),
        Action("/discovered", "Ignore", selects="ignore", confirm="Ignore 1 domain"),
        Action(domain, "Mark for review"),
        Action("/discovered/links", "Ignore", selects="ignore", confirm="Ignore 1 link"),
        Action("/scheduler", "Preview a rebalance", confirm="Move"),
        Action("/users", "Add", "carol", carol),
        Action("/tokens", "Create", fill={"Name": "a token"}),
        Action("/tokens", "Revoke", confirm="Revoke"),
        Action("/sites", "Add", fill={"Name": "shop", "Address": "https://shop.test"}),
        Action(f"{site}?tab=broken", "Ignore"),
        Action(f"{site}?tab=links", "Ignore"),
    ]


async def _problems(tab: Watched, action: Action, way: Way) -> list[str]:
    """Do it; returns what was wrong."""
    page = tab.page
    tab.complaints.clear()
    if (status := await tab.open(action.path)) != 200:
        return [f"answered {status}"]
    main = page.locator("main")
    for label, value in action.fill.items():
        await main.get_by_label(label).first.fill(value)
    if action.selects:
        await _press(_row_that_allows(main, action.selects), way, key="Space")
    await _press(await _button(main, action.button), way)
    found: list[str] = []
    if action.confirm:
        question = page.locator("#confirm" if way is Way.NO_SCRIPT else "dialog")
        await question.first.wait_for()
        found += [] if await question.count() == 1 else ["asked more than once"]
        if way is Way.MOUSE:
            found += [f"axe in the question: {each}" for each in await axe(page)]
        for label, value in action.answers.items():
            await question.get_by_label(label).fill(value)
        await _press(await _button(question, action.confirm), way)
    await expect(page.locator(action.shows).first).to_be_visible(timeout=15_000)
    if action.then and action.then not in await main.inner_text():
        found.append(f"does not say {action.then!r}")
    return found + [f"console: {each}" for each in tab.complaints]


async def _press(place: Locator, way: Way, key: str = "Enter") -> None:
    if way is Way.KEYBOARD:
        await expect(place).to_be_enabled()
        await place.focus()
        await place.page.keyboard.press(key)
    else:
        await place.click()


def _row_that_allows(main: Locator, verb: str) -> Locator:
    """The box of the first row that allows a verb; a box that names no verbs allows all."""
    box = "tbody input[name=selected]"
    return main.locator(f"{box}[data-allows~='{verb}'], {box}:not([data-allows])").first


async def _button(place: Locator, name: str) -> Locator:
    """A button by its whole name, or else a button or a link like one, by the beginning of its name."""
    exact = place.get_by_role("button", name=name, exact=True)
    if await exact.count():
        return exact.first
    beginning = re.compile(rf"^\s*{re.escape(name)}")
    return place.locator("button, a.btn").filter(has_text=beginning).first


async def _arrange(dashboard: Dashboard) -> str:
    """Crowd the jobs in one slot; returns the id of one that can be run now."""
    db = await asyncpg.connect(dashboard.dsn)
    try:
        await db.execute(_CROWD)
        return str(await db.fetchval(_A_JOB))
    finally:
        await db.close()


@pytest.mark.parametrize("way", Way)
async def test_every_action_asks_once_and_says_what_it_did(
    browser: Browser, dashboard: Dashboard, paths: PagePaths, way: Way
):
    actions = _actions_in_every_way(await _arrange(dashboard), way.name.lower())
    if way is Way.MOUSE:
        actions += _actions_by_mouse(paths)
    wrong = []
    has_script = way is not Way.NO_SCRIPT
    async with signed_in(browser, dashboard.address, "admin", java_script_enabled=has_script) as context:
        context.set_default_timeout(15_000)
        tab = await watched(context, dashboard.address)
        for action in actions:
            try:
                found = await _problems(tab, action, way)
            except (AssertionError, Error) as error:
                shown = await tab.page.locator("main").inner_text()
                found = [f"{str(error).partition(chr(10))[0]}; the page says: {shown[:300]!r}"]
            wrong += [f"{action.path}, {action.button}: {each}" for each in found]

    assert not wrong, "\n".join(wrong)
