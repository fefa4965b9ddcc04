"""`outrider diff`: show what changed between two versions of a page."""

import sys
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.cli.versions.report import show_comparison
from outrider.documents.diff import CONTEXT, MAX_CONTEXT
from outrider.services.as_json import as_json
from outrider.services.pages.versions import compare_versions
from outrider.urls import normalize
from outrider.urls.typed import address_of


def diff(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    older: Annotated[
        int | None,
        typer.Option("--from", metavar="N", min=1, help="The older version. [default: the one before]"),
    ] = None,
    newer: Annotated[
        int | None,
        typer.Option("--to", metavar="N", min=1, help="The newer version. [default: the newest]"),
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
    found = call(loaded, lambda db: compare_versions(db, address, older, newer, context))
    if json:
        print_json(as_json(found))
    else:
        show_comparison(found, sys.stdout)
