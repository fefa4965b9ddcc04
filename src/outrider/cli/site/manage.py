"""`outrider site add`, `list`, `show`, `edit`, `key` and `remove`."""

from dataclasses import asdict
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, table
from outrider.cli.output import show as print_result
from outrider.cli.running import load_settings
from outrider.cli.show.facts import facts
from outrider.cli.site.options import Settings, SiteName, Yes, operator, read_settings
from outrider.cli.use_case import call, change
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.sites import (
    SiteChanges,
    SiteRequest,
    SiteSummary,
    SiteWithKey,
    add_site,
    change_site,
    list_sites,
    remove_site,
    rotate_key,
    show_site,
)
from outrider.wording import count

Hosts = Annotated[
    list[str] | None,
    typer.Option(
        "--host", metavar="HOST", help="Another host of the site; may be repeated.", show_default=False
    ),
]


def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A short name.", show_default=False)],
    base_url: Annotated[
        str,
        typer.Argument(metavar="URL", help="Its address, such as https://shop.example.", show_default=False),
    ],
    host: Hosts = None,
    settings: Settings = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Register a site that you own. Its key is shown once."""
    loaded = load_settings(config, data=data)
    request = SiteRequest(name, base_url, host or (), read_settings(settings))
    made = change(loaded, lambda db: add_site(db, request), may_create=True)
    _show_key(made, f"The site {made.site.name} is registered.", json=json)


def list_(
    limit: Limit = 100, offset: Offset = 0, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """List the sites that you own."""
    loaded = load_settings(config, data=data)
    page = call(loaded, lambda db: list_sites(db, PageRequest(limit, offset)))
    if json:
        print_json(list_as_json(page, "sites"))
        return
    rows = [(each.site_id, each.name, each.base_url, ", ".join(each.hosts)) for each in page.items]
    print_result(table(("number", "name", "address", "hosts"), rows, right=("number",)))


def show(site: SiteName, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show a site with its settings and its figures."""
    loaded = load_settings(config, data=data)
    found = call(loaded, lambda db: show_site(db, site))
    print_json(as_json(found)) if json else _show(found)


def edit(
    site: SiteName,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.", show_default=False)] = None,
    base_url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="A new address.", show_default=False)
    ] = None,
    host: Hosts = None,
    settings: Settings = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Change a site. Other rules for paths rewrite its inventory and its redirects."""
    loaded = load_settings(config, data=data)
    changes = SiteChanges(name, base_url, host, read_settings(settings))
    changed = change(loaded, lambda db: change_site(db, site, changes, operator()))
    print_json(as_json(changed)) if json else print_result(plain(f"The site {changed.name} is changed."))


def key(
    site: SiteName,
    now: Annotated[
        bool, typer.Option("--now", help="The old key stops working at once, not after an hour.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Make a new key for the programs of a site. It is shown once."""
    loaded = load_settings(config, data=data)
    made = change(loaded, lambda db: rotate_key(db, site, 0.0) if now else rotate_key(db, site))
    old = "The old key does not work any more." if now else "The old key works for another hour."
    _show_key(made, old, json=json)


def remove(
    site: SiteName, yes: Yes = False, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """Remove a site with its redirects, page views and broken URLs."""
    loaded = load_settings(config, data=data)
    if not yes:
        found = call(loaded, lambda db: show_site(db, site))
        question = f"Remove {found.site.name} and its {count(found.figures.redirects)} redirects?"
        if not typer.confirm(question, err=True):
            raise typer.Abort
    gone = change(loaded, lambda db: remove_site(db, site))
    print_json(as_json(gone)) if json else print_result(plain(f"The site {gone.name} is removed."))


def _show_key(made: SiteWithKey, sentence: str, *, json: bool) -> None:
    if json:
        print_json(as_json(made))
        return
    print_result(plain(sentence))
    print_result(plain(f"Its key, which is not shown again: {made.key}"))


def _show(found: SiteSummary) -> None:
    site, figures = found.site, found.figures
    settings = [("setting", f"{name} = {as_json(value)}") for name, value in asdict(site.settings).items()]
    print_result(
        facts(
            [
                ("site", f"{site.name} ({site.site_id})"),
                ("address", site.base_url),
                ("hosts", ", ".join(site.hosts)),
                ("key", "set" if site.has_key else "none"),
                ("webhook", site.update_webhook or "none"),
                ("live paths", count(found.live_paths)),
                ("redirects", f"{count(figures.redirects)}, hit {count(figures.redirect_hits)} times"),
                ("detected", f"{count(figures.auto_resolved)} redirects"),
                ("broken URLs", f"{count(figures.pending_broken_urls)} to review"),
                ("version", str(found.version)),
                *settings,
            ]
        )
    )
