"""`outrider source feeds`: the feeds and sitemaps of one source."""

from collections.abc import Sequence
from typing import Annotated

import asyncpg
import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import fail, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.source.report import channels_as_json, show_channels
from outrider.cli.source.write import write
from outrider.frontier.store import FrontierStore
from outrider.sources.model import ChannelLine
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.watch.channels.switch import Switch
from outrider.watch.source_service import SourceService

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
    changes = read_changes({"feed": feed, "sitemap": sitemap}).checked()
    loaded = load_settings(config, data=data)
    switch = Switch(FrontierStore(loaded.settings.frontier))

    async def work(
        db: asyncpg.Connection, source_service: SourceService
    ) -> tuple[list[ChannelLine], Sequence[str]]:
        store = SourceStore()
        source = await store.find(db, named)
        for each in disable or ():
            await switch.off(db, await switch.find(db, source, each), reason)
        for each in enable or ():
            await switch.on(db, await switch.find(db, source, each))
        for each in drop or ():
            await switch.drop(db, await switch.find(db, source, each))
        notes = (await source_service.change(db, source, changes)).notes
        return await store.channels(db, source.source_id), notes

    channels, notes = run(write(loaded, work))
    for note in notes:
        say(note)
    if json:
        print_json({"channels": channels_as_json(channels)})
    else:
        show_channels(channels)
