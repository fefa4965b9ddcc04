"""What an administrator does by clicking: each action asks where it must, once, and says what it did."""

from dataclasses import dataclass, field

import pytest
from playwright.async_api import Browser, Error, expect
from tests.support.browsing import Watched, axe, signed_in, watched
from tests.support.dashboard_server import Dashboard
from tests.support.page_paths import PagePaths

from outrider.services.demo_owned_site import NAME as SITE

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(600)]


@dataclass(frozen=True)
class Action:
    """A button of a page, what is filled in before, and the button of the question that follows."""

    path: str
    button: str
    then: str = ""  # part of what the page says afterwards
    fill: dict[str, str] = field(default_factory=dict)
    selects: bool = False  # the first row
    confirm: str = ""
    answers: dict[str, str] = field(default_factory=dict)  # fields of the question
    shows: str = "main .alert-success, main code"  # what is there afterwards and not before


def _actions(paths: PagePaths) -> list[Action]:
    job, source, domain = (
        next(path for path in paths.user if path.startswith(start))
        for start in ("/jobs/", "/sources/", "/discovered/domains/")
    )
    fetched = next(path for path in paths.user if path.startswith("/urls?url=http"))
    site = f"/sites/{SITE}"
    return [
        Action(
            "/frontier/submit",
            "Submit",
            fill={"URLs, one in each line": "http://valley-herald.test/a"},
            shows="main table",
        ),
        Action("/frontier?status=dead", "Retry", "again", selects=True, confirm="Retry"),
        Action(fetched, "Fetch soon"),
        Action("/hosts", "Block", "blocked", selects=True, confirm="Block", answers={"Reason": "a test"}),
        Action("/hosts?blocked=true", "Reset", "reset", selects=True, confirm="Reset"),
        Action("/hosts/valley-herald.test", "Set delay", "every 3 s", {"Seconds between two requests": "3"}),
        Action("/jobs", "Pause", "paused", selects=True, confirm="Pause 1 job"),
        Action("/jobs?state=paused", "Resume", selects=True, confirm="Resume 1 job"),
        Action(f"{job}/edit", "Save", fill={"Number": "6"}),
        Action("/jobs/new", "Add the job", fill={"Source": "Theatre Row", "Number": "5"}),
        Action("/runs/new", "Start", "begun", {"Start URLs, one a line": "http://valley-herald.test/"}),
        Action(source, "Poll now"),
        Action(f"{source}/edit", "Save", fill={"Labels": "news, tested"}),
        Action("/feeds", "Disable"),
        Action("/feeds?view=disabled", "Enable"),
        Action("/discovered", "Ignore", selects=True, confirm="Ignore 1 domain"),
        Action(domain, "Mark for review"),
        Action("/discovered/links", "Ignore", selects=True, confirm="Ignore 1 link"),
        Action("/scheduler", "Preview a rebalance", confirm="Move"),
        Action("/users", "Add", "carol", {"User name": "carol", "Password, at least": "password of carol"}),
        Action("/tokens", "Create", fill={"Name": "a token"}),
        Action("/sites", "Add", fill={"Name": "shop", "Address": "https://shop.test"}),
        Action(f"{site}?tab=broken", "Ignore"),
        Action(f"{site}?tab=links", "Ignore"),
    ]


async def _problems(tab: Watched, action: Action) -> list[str]:
    """Do it; returns what was wrong."""
    page = tab.page
    tab.complaints.clear()
    if (status := await tab.open(action.path)) != 200:
        return [f"answered {status}"]
    main = page.locator("main")
    for label, value in action.fill.items():
        await main.get_by_label(label).first.fill(value)
    if action.selects:
        await main.locator("tbody input[name=selected]").first.check()
    await _button(main, action.button).click()
    found: list[str] = []
    if action.confirm:
        await page.locator("dialog").first.wait_for()
        found += [] if await page.locator("dialog").count() == 1 else ["asked more than once"]
        found += [f"axe in the question: {each}" for each in await axe(page)]
        for label, value in action.answers.items():
            await page.locator("dialog").get_by_label(label).fill(value)
        await _button(page.locator("dialog"), action.confirm).click()
    await expect(page.locator(action.shows).first).to_be_visible(timeout=15_000)
    if action.then and action.then not in await main.inner_text():
        found.append(f"does not say {action.then!r}")
    return found + [f"console: {each}" for each in tab.complaints]


def _button(place, name: str):  # type: ignore[no-untyped-def]
    """A button or a link that looks like one, by the beginning of its name."""
    return place.locator("button, a.btn").filter(has_text=name).first


async def test_every_action_asks_once_and_says_what_it_did(
    browser: Browser, dashboard: Dashboard, paths: PagePaths
):
    wrong = []
    async with signed_in(browser, dashboard.address, "admin") as context:
        context.set_default_timeout(15_000)
        tab = await watched(context, dashboard.address)
        for action in _actions(paths):
            try:
                found = await _problems(tab, action)
            except (AssertionError, Error) as error:
                found = [str(error).partition("\n")[0]]
            wrong += [f"{action.path}, {action.button}: {each}" for each in found]

    assert not wrong, "\n".join(wrong)
