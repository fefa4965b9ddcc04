"""`outrider retry`: dead URLs back in the queue."""

from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, console, fail, plain, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.crawl.by_hand.retry import retry as retry_urls
from outrider.crawl.by_hand.retry import retry_because
from outrider.frontier.store import FrontierStore
from outrider.urls import host_id_of, key_of, normalize
from outrider.urls.typed import address_of, host_named
from outrider.wording import plural


def retry(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="[URL]...", help="Dead URLs.", show_default=False)
    ] = None,
    dead: Annotated[
        str | None,
        typer.Option(
            metavar="REASON", help="All that died of it, as `outrider stats` names it.", show_default=False
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only on this host.", show_default=False)
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Put dead URLs back in the queue.

    They are as good as new, and the next crawl fetches them. The exit code is 1 when none was dead.
    """
    if bool(urls) == (dead is not None):
        fail("name the URLs to try again, or the reason they died of with --dead", WRONG_USAGE)
    if host is not None and dead is None:
        fail("--host belongs to --dead", WRONG_USAGE)
    wanted = {key_of(url): url for url in (normalize(address_of(text)) for text in urls or ())}
    host_id = None if host is None else host_id_of(host_named(host))
    loaded = load_settings(config, data=data)

    async def work() -> tuple[int, list[str]]:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            frontier = FrontierStore(loaded.settings.frontier)
            if dead is not None:
                return await retry_because(db, frontier, dead, host_id), []
            queued = await retry_urls(db, frontier, wanted.keys())
            return len(queued), [url for key, url in wanted.items() if key not in queued]

    queued, others = run(work())
    if json:
        print_json({"queued": queued, "not_dead": others})
    else:
        for url in others:
            say(f"{url} is not dead here, so there is nothing to try again")
        console().print(plain(f"{plural(queued, 'URL')} queued again."))
    if not queued:
        raise typer.Exit(FAILED)
