"""`outrider source feeds`: the feeds and sitemaps of one source."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import fail, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.source.report import show_channels
from outrider.cli.use_case import change
from outrider.services.as_json import as_json
from outrider.services.sources.edit import ChannelEdits, edit_channels
from outrider.sources.source_changes import read_changes

_CHANNEL = "CHANNEL"


def feeds(
    named: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Its name, number or address.", show_default=False)
    ],
    feed: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Add a feed.", show_default=False)
    ] = None,
    sitemap: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Add a sitemap.", show_default=False)
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(
            metavar=_CHANNEL,
            help="Remove one, by number or address; a search may find it again, unlike after --disable.",
            show_default=False,
        ),
    ] = None,
    disable: Annotated[
        list[str] | None,
        typer.Option(metavar=_CHANNEL, help="Stop polling one; needs --reason.", show_default=False),
    ] = None,
    enable: Annotated[
        list[str] | None,
        typer.Option(metavar=_CHANNEL, help="Poll a disabled one again, now.", show_default=False),
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is disabled.", show_default=False)] = "",
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the feeds and sitemaps of a source; add, drop, disable and enable single ones."""
    if disable and not reason.strip():
        fail("--disable needs a --reason, for later readers", WRONG_USAGE)
    added = read_changes({"feed": feed, "sitemap": sitemap}).checked()
    edits = ChannelEdits(added, disable or (), enable or (), drop or (), reason)
    loaded = load_settings(config, data=data)
    found = change(loaded, lambda db: edit_channels(db, named, edits, loaded.settings.frontier))
    for note in found.notes:
        say(note)
    if json:
        print_json(as_json(found))
    else:
        show_channels(found.channels)
