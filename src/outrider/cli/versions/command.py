"""`outrider versions`: list the versions of a page."""

import sys
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.cli.versions.report import show_text, show_versions
from outrider.documents.versions import DEFAULT_LIMIT, MAX_LIMIT, Versions, VersionText
from outrider.services.as_json import as_json
from outrider.services.pages.versions import list_versions, read_version
from outrider.services.paging import PageRequest
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
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Most versions to list.")] = DEFAULT_LIMIT,
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
    found: Versions | VersionText
    if text is None:
        found = call(loaded, lambda db: list_versions(db, address, PageRequest(limit)))
    else:
        found = call(loaded, lambda db: read_version(db, address, text))
    if json:
        print_json(as_json(found))
    elif isinstance(found, Versions):
        show_versions(found)
    else:
        show_text(found.text, sys.stdout)
