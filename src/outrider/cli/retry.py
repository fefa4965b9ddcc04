"""`outrider retry`: queue dead URLs again."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, console, fail, plain, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.use_case import call
from outrider.services.as_json import as_json
from outrider.services.urls.urls import retry_dead, retry_urls
from outrider.urls import normalize
from outrider.urls.typed import address_of, host_named
from outrider.wording import plural


def retry(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="[URL]...", help="Dead URLs.", show_default=False)
    ] = None,
    dead: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="All dead URLs with this reason, as in `outrider stats`.",
            show_default=False,
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

    Their attempts are reset, and the next crawl fetches them. The exit code is 1 if none was dead.
    """
    if bool(urls) == (dead is not None):
        fail("name the URLs to retry, or the reason of their death with --dead", WRONG_USAGE)
    if host is not None and dead is None:
        fail("--host needs --dead", WRONG_USAGE)
    named = [normalize(address_of(text)) for text in urls or ()]
    name = None if host is None else host_named(host)
    loaded = load_settings(config, data=data)
    options = loaded.settings.frontier
    if dead is None:
        done = call(loaded, lambda db: retry_urls(db, named, options))
    else:
        done = call(loaded, lambda db: retry_dead(db, dead, name, options))
    if json:
        print_json(as_json(done))
    else:
        for url in done.not_dead:
            say(f"{url} is not dead here, so it is not queued again")
        console().print(plain(f"{plural(done.queued, 'URL')} queued again."))
    if not done.queued:
        raise typer.Exit(FAILED)
