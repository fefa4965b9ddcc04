"""`outrider clear`: an empty queue, or an empty part of it."""

from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, fail, plain, print_json
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.frontier.store import FrontierStore
from outrider.services.sources import source_id_named
from outrider.urls import host_id_of
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
    yes: Annotated[bool, typer.Option("--yes", help="Yes, I mean it.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Take queued pages out of the queue for good.

    Pages never fetched are forgotten, pages fetched before keep their history. What a worker has in hand
    stays, and so do feeds and sitemaps.
    """
    if not yes:
        fail("this cannot be undone: say --yes when you mean it", WRONG_USAGE)
    loaded = load_settings(config, data=data)
    host_id = None if host is None else host_id_of(host_named(host))

    async def work() -> int:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            return await FrontierStore(loaded.settings.frontier).clear_pending(
                db, await source_id_named(db, source), host_id
            )

    cleared = run(work())
    if json:
        print_json({"cleared": cleared})
    else:
        console().print(plain(f"{plural(cleared, 'URL')} taken out of the queue."))
