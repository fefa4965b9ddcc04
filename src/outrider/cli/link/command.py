"""`outrider link`: list, show, check, ignore and replace the links in the content of owned sites."""

from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.link.report import (
    show_details,
    show_link,
    show_links,
    show_saved,
    show_update,
    show_updates,
)
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call, change
from outrider.links.monitor.model import LinkKind, LinkType, StoredLinkStatus
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.content_links import save_field_by_name
from outrider.services.sites.links import (
    StoredLinkFilter,
    apply_link,
    check_link_now,
    ignore_link,
    link_details,
    list_site_links,
    requested_updates,
)

Site = Annotated[int, typer.Option("--site", metavar="ID", min=1, help="The site.", show_default=False)]
LinkId = Annotated[int, typer.Argument(metavar="LINK", min=1, show_default=False)]


def list_(
    site: Site,
    status: Annotated[
        StoredLinkStatus | None, typer.Option(help="Only links with this status.", show_default=False)
    ] = None,
    link_type: Annotated[
        LinkType | None, typer.Option("--type", help="Only links of this type.", show_default=False)
    ] = None,
    ignored: Annotated[bool, typer.Option("--ignored", help="List ignored links, too.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the links of a site: dead first, then moved, then unchecked."""
    loaded = load_settings(config, data=data)
    wanted = StoredLinkFilter(status, link_type, ignored)
    found = call(loaded, lambda db: list_site_links(db, site, wanted, PageRequest(limit, offset)))
    print_json(list_as_json(found, "links")) if json else show_links(found)


def show(link: LinkId, site: Site, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show a link, its checks with their evidence, and the addresses that may replace it."""
    found = call(load_settings(config, data=data), lambda db: link_details(db, site, link))
    print_json(as_json(found)) if json else show_details(found)


def check(link: LinkId, site: Site, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Queue a check of an external link before all others; a worker makes it."""
    found = change(load_settings(config, data=data), lambda db: check_link_now(db, site, link))
    print_json(as_json(found)) if json else show_link(found, "is checked next")


def ignore(
    link: LinkId,
    site: Site,
    undo: Annotated[bool, typer.Option("--undo", help="Stop ignoring it.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Leave a link out of lists and counts until it works again."""
    found = change(
        load_settings(config, data=data), lambda db: ignore_link(db, site, link, is_ignored=not undo)
    )
    print_json(as_json(found)) if json else show_link(found, "counts again" if undo else "is ignored")


def apply(
    link: LinkId,
    site: Site,
    to: Annotated[
        str | None, typer.Option(metavar="URL", help="The new address.", show_default=False)
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Ask the system of the owner to replace a link: by its new address, or by the one given."""
    found = change(load_settings(config, data=data), lambda db: apply_link(db, site, link, to))
    print_json(as_json(found)) if json else show_update(found)


def updates(site: Site, json: Json = False, data: Data = None, config: Config = None) -> None:
    """List the replacements that the system of the owner has yet to make."""
    found = call(load_settings(config, data=data), lambda db: requested_updates(db, site))
    print_json(as_json(found)) if json else show_updates(found)


def save(
    field: Annotated[str, typer.Argument(metavar="FIELD", help="The content field.", show_default=False)],
    site: Site,
    links: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LINK]...", help="Its links; none empties it.", show_default=False),
    ] = None,
    kind: Annotated[
        LinkKind | None,
        typer.Option(help="What the field is. Without it the name of the field says so.", show_default=False),
    ] = None,
    edit_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the field is edited.", show_default=False)
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Replace the links of a content field. Links within the site are judged at once."""
    saved = change(
        load_settings(config, data=data),
        lambda db: save_field_by_name(db, str(site), field, links or [], edit_url, kind),
    )
    print_json(as_json(saved)) if json else show_saved(saved)


link = submenu(
    "link",
    {
        "save": save,
        "list": list_,
        "show": show,
        "check": check,
        "ignore": ignore,
        "apply": apply,
        "updates": updates,
    },
)
