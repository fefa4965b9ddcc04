"""`outrider diff`: what changed between two versions of a page."""

import sys
from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings, run
from outrider.cli.show.records import record
from outrider.cli.versions.report import show_comparison
from outrider.documents.diff import CONTEXT, MAX_CONTEXT
from outrider.documents.versions import Comparison, compare_versions
from outrider.urls import normalize
from outrider.urls.typed import address_of


def diff(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    older: Annotated[
        int | None,
        typer.Option("--from", metavar="N", min=1, help="This version. [default: the one before]"),
    ] = None,
    newer: Annotated[
        int | None,
        typer.Option("--to", metavar="N", min=1, help="With this one. [default: the newest]"),
    ] = None,
    context: Annotated[
        int, typer.Option(min=0, max=MAX_CONTEXT, help="Unchanged lines shown around each change.")
    ] = CONTEXT,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show what changed on a page, by default with its last change.

    The text of two versions is compared line by line, as `diff -u` does; on a terminal the changed words are
    marked. `outrider versions` lists the versions. The exit code is 1 when there are no two to compare.
    """
    address = normalize(address_of(url))
    loaded = load_settings(config, data=data)

    async def work() -> Comparison:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            return await compare_versions(db, address, older, newer, context)

    found = run(work())
    if json:
        print_json(record(found))
    else:
        show_comparison(found, sys.stdout)
