"""Serve the demo site, crawl it, and check its exhibits."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.crawl.run import CrawlDisplay, crawl, print_result
from outrider.cli.crawl.summary import summary
from outrider.cli.database import open_database
from outrider.cli.output import print_json, show
from outrider.db.temporary import temporary_folder
from outrider.demo import demo_site, tour
from outrider.services.as_json import as_json
from outrider.services.demo.exhibits import ExhibitResult, check_exhibit
from outrider.settings import Loaded
from outrider.sources.policy import Policy
from outrider.workers.snapshot import CrawlEnding

PORT = 8000


async def serve_demo() -> None:
    """Serve the site until interrupted."""
    async with demo_site(PORT) as site:
        print(f"The demo site is at {site.url} (Ctrl-C stops it)", flush=True)
        await asyncio.Event().wait()


async def crawl_demo(load: Callable[[Path], Loaded], data: Path | None, *, json: bool) -> bool:
    """Crawl the site and report each exhibit; False if a result is not the expected one."""
    display = CrawlDisplay(json=json, is_kept=data is not None)
    async with _folder(data) as folder, demo_site() as site:
        loaded = load(folder)
        policy = Policy(
            seeds=(site.url, site.other_url), max_depth=-1, delay_s=loaded.settings.hosts.delay_ms / 1000
        )
        async with open_database(loaded) as database:
            found = await crawl(loaded, database, policy, display)
            async with database.connection() as db:
                asked = [request.path for request in site.requests]
                seen = [await check_exhibit(db, site.url, exhibit, asked) for exhibit in tour]
    if found.ending in (CrawlEnding.INTERRUPTED, CrawlEnding.CANCELLED):
        print_result(found, display)
        return not found.has_failed
    if json:
        print_json(as_json(found) | {"exhibits": as_json(seen)})
    else:
        show(Group(summary(found), Text(), _tour(seen, site.url), Text(), _farewell(display.is_kept)))
    return all(each.is_as_expected for each in seen)


def _tour(seen: Sequence[ExhibitResult], site: str) -> RenderableType:
    rows = Table.grid(padding=(0, 2))
    for style in ("", "bold", "dim", ""):
        rows.add_column(style=style, overflow="fold")
    for each in seen:
        mark = Text("✓", style="green") if each.is_as_expected else Text("✗", style="bold red")
        rows.add_row(mark, each.exhibit.name, each.exhibit.shows, each.told.replace(site.rstrip("/"), ""))
    return rows


def _farewell(is_kept: bool) -> Text:
    note = "" if is_kept else "The data is deleted now; `outrider demo --data DIR` keeps it.\n"
    return Text.assemble(
        (note, "dim"), "Next, crawl a site of your own: ", ("outrider crawl URL --contact YOUR-EMAIL", "cyan")
    )


@asynccontextmanager
async def _folder(chosen: Path | None) -> AsyncIterator[Path]:
    """The chosen folder, or a temporary one."""
    if chosen is not None:
        yield chosen
        return
    temporary = temporary_folder("demo")
    folder = await asyncio.to_thread(temporary.__enter__)
    try:
        yield folder
    finally:
        await asyncio.to_thread(temporary.__exit__, None, None, None)
