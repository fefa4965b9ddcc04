"""`outrider clear`: empty the queue, or a part of it."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, fail, plain, print_json
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.use_case import call
from outrider.services.as_json import as_json
from outrider.services.urls.urls import clear_urls
from outrider.urls.typed import host_named
from outrider.wording import plural


def clear(
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only on this host.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only of this source (see `outrider stats`).", show_default=False),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm that the URLs are removed.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Remove queued pages from the queue.

    Pages that were never fetched are deleted, pages that were fetched keep their history. Pages that a
    worker has claimed stay, and so do feeds and sitemaps.
    """
    if not yes:
        fail("this cannot be undone: confirm it with --yes", WRONG_USAGE)
    name = None if host is None else host_named(host)
    loaded = load_settings(config, data=data)
    done = call(loaded, lambda db: clear_urls(db, name, source, loaded.settings.frontier))
    if json:
        print_json(as_json(done))
    else:
        console().print(plain(f"{plural(done.cleared, 'URL')} removed from the queue."))
