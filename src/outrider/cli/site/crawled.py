"""`outrider site crawled` and `verify`: what the crawler knows about a site, and whether redirects work."""

from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, plain, print_json, show, table
from outrider.cli.polite_fetch import fetch_for_command
from outrider.cli.running import load_settings, run
from outrider.cli.site.options import SiteName, operator
from outrider.cli.use_case import change
from outrider.services.as_json import as_json
from outrider.services.sites.crawled import (
    Verification,
    inventory_from_crawl,
    register_links,
    take_crawled,
    verify_redirects,
)
from outrider.settings import Loaded
from outrider.wording import plural


def crawled(
    site: SiteName,
    inventory: Annotated[
        bool, typer.Option("--inventory", help="Also add the crawled pages to the inventory.")
    ] = False,
    links: Annotated[
        bool,
        typer.Option("--links", help="Also register the links of the crawled pages (setting crawl_links)."),
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Take the 404s of a crawl of the site, and suggest where renamed pages are now."""
    loaded = load_settings(config, data=data)
    added = change(loaded, lambda db: inventory_from_crawl(db, site, operator())) if inventory else None
    linked = change(loaded, lambda db: register_links(db, site)) if links else None
    found = change(loaded, lambda db: take_crawled(db, site))
    if json:
        print_json({"inventory": as_json(added), "links": as_json(linked), **as_json(found)})
        return
    if added is not None:
        show(plain(f"{plural(added.live_paths, 'path is', 'paths are')} in the inventory."))
    if linked is not None:
        show(plain(f"{plural(linked.links, 'link')} of {plural(linked.pages, 'page')} are registered."))
    show(plain(f"{plural(found.missing, 'page')} answered 404 to the crawler."))
    rows = [(each.from_path, each.to_path, each.evidence, f"{each.confidence:.2f}") for each in found.renames]
    if rows:
        show(table(("seems to be renamed", "to", "because", "confidence"), rows))


def verify(
    site: SiteName,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Most redirects to request.")] = 100,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Request the redirects of the live site. Exits with 1 if one does not work."""
    loaded = load_settings(config, data=data)
    found = run(_verify(loaded, site, limit))
    if json:
        print_json(as_json(found))
    else:
        rows = [(each.from_path, each.to or "", each.problem) for each in found.problems]
        show(plain(f"{plural(found.checked, 'redirect')} checked, {plural(len(rows), 'problem')}."))
        if rows:
            show(table(("from", "to", "problem"), rows))
    if found.problems:
        raise typer.Exit(FAILED)


async def _verify(loaded: Loaded, site: str, limit: int) -> Verification:
    async with (
        open_database(loaded, may_create=False) as database,
        database.connection() as db,
        fetch_for_command(loaded) as fetch_one,
    ):
        return await verify_redirects(db, fetch_one, site, limit)
