"""`outrider versions`: the texts that a page has had."""

import sys
from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings, run
from outrider.cli.show.records import record
from outrider.cli.versions.report import show_text, show_versions
from outrider.documents.versions import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    Versions,
    VersionText,
    list_versions,
    read_version,
)
from outrider.urls import normalize
from outrider.urls.typed import address_of


def versions(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    text: Annotated[
        int | None,
        typer.Option(
            "--text", metavar="N", min=1, help="Write the text of this version instead.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Versions at most.")] = DEFAULT_LIMIT,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the versions of a page, or write the text of one.

    A page gets a new version when its text changes. The address may be one that redirects to the page.
    The exit code is 1 when there is no such page or version.
    """
    address = normalize(address_of(url))
    loaded = load_settings(config, data=data)

    async def work() -> Versions | VersionText:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            if text is not None:
                return await read_version(db, address, text)
            return await list_versions(db, address, limit)

    found = run(work())
    if json:
        print_json(record(found))
    elif isinstance(found, Versions):
        show_versions(found)
    else:
        show_text(found.text, sys.stdout)
