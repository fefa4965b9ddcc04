"""What a test does in a browser: sign in, watch for errors, and check a page."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page
from tests.support.browser import AXE
from tests.support.dashboard_server import CREDENTIALS

PATIENCE_MS = 60_000
DESKTOP, PHONE = 1280, 360
HEIGHTS = {DESKTOP: 800, PHONE: 740}
_CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@dataclass(slots=True)
class Watched:
    """A page, and what it complained about."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str) -> int:
        """Open a path; returns the status."""
        answer = await self.page.goto(self.address + path, wait_until="load")
        assert answer is not None
        return answer.status


_sessions: dict[tuple[str, str], list[Any]] = {}


@asynccontextmanager
async def signed_in(
    browser: Browser, address: str, role: str, *, width: int = DESKTOP, **more: Any
) -> AsyncIterator[BrowserContext]:
    """A context of this role; `""` has not signed in. A role signs in once: the server limits how often."""
    viewport = {"width": width, "height": HEIGHTS[width]}
    context = await browser.new_context(viewport=viewport, reduced_motion="reduce", **more)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    if known := _sessions.get((address, role)):
        await context.add_cookies(known)
    elif role:
        name, password = CREDENTIALS[role]
        answer = await context.request.post(
            f"{address}/api/v1/auth/login", data={"username": name, "password": password}
        )
        assert answer.ok, await answer.text()
        _sessions[address, role] = await context.cookies()
    try:
        yield context
    finally:
        await context.close()


async def watched(context: BrowserContext, address: str) -> Watched:
    """A new tab whose errors are remembered."""
    made = Watched(await context.new_page(), address)
    made.page.on("console", lambda said: made.complaints.append(said.text) if said.type == "error" else None)
    made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
    return made


async def overflow(page: Page) -> list[str]:
    """The elements that make the body wider than the window, the outermost first; empty if it fits."""
    return await page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return [];
          return [...document.body.querySelectorAll("*")]
            .filter((each) => each.getBoundingClientRect().right > width + 1)
            .slice(0, 5)
            .map((each) => [each, Math.round(each.getBoundingClientRect().right)])
            .map(([each, right]) => `${each.tagName}.${each.className} ${right} px`)
            .concat(["the body is wider than the window"]);
        }"""
    )


async def clipped_tables(page: Page, width: int) -> list[str]:
    """The tables of which a desktop shows only the left part, each with its columns and what it needs."""
    if width < DESKTOP:
        return []
    return await page.evaluate(
        """() => [...document.querySelectorAll(".table-wrap")]
          .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
          .map((each) => [each.querySelector("thead")?.innerText, each.scrollWidth - each.clientWidth])
          .map(([columns, more]) => `${columns} needs ${more} px more`)"""
    )


async def axe(page: Page, *, only_contrast: bool = False) -> list[str]:
    """The violations that axe-core finds, each with the first element."""
    await page.evaluate(AXE.read_text() + "; null")
    found = await page.evaluate(
        "(options) => axe.run(document, {resultTypes: ['violations'], ...options})",
        _CONTRAST if only_contrast else {},
    )
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['nodes'][0]['html'][:160]} {_why(each['nodes'][0])}"
        for each in found["violations"]
    ]


def _why(node: dict[str, Any]) -> str:
    return "; ".join(check["message"] for check in (*node["any"], *node["all"], *node["none"]))[:160]


async def show(page: Page, *, theme: str | None = None, width: int | None = None) -> None:
    """Change the theme or the width of an open page."""
    if theme is not None:
        await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        await page.evaluate(
            "(theme) => { document.documentElement.dataset.bsTheme = theme;"
            " document.dispatchEvent(new CustomEvent('themechange')); }",
            theme,
        )
    if width is not None:
        await page.set_viewport_size({"width": width, "height": HEIGHTS[width]})


async def in_tabs(
    context: BrowserContext, address: str, paths: Sequence[str], visit: Any, tabs: int = 3
) -> list[str]:
    """Visit all paths in some tabs at a time; returns what was wrong, each with its path."""
    left, wrong = list(reversed(paths)), []

    async def work() -> None:
        tab = await watched(context, address)
        while left:
            path = left.pop()
            tab.complaints.clear()
            wrong.extend(f"{path}: {each}" for each in await visit(tab, path))
        await tab.page.close()

    await asyncio.gather(*(work() for _ in range(tabs)))
    return wrong
