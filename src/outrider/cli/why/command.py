"""`outrider why`: what happened to a URL and what happens next."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.cli.why.report import show
from outrider.remote import crawl
from outrider.services.as_json import as_json
from outrider.services.urls.explain import explain_url
from outrider.urls.typed import address_of


def why(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Explain what happened to a URL and what happens next.

    Shows its normalisation, where it was found, the robots.txt rule, the delay of its host, its requests, and
    its next fetch. The exit code is 1 if the URL is not known here.
    """
    address_of(url)  # a wrong address is refused before a database is opened
    loaded = load_settings(config, data=data)
    settings = loaded.settings
    depth_cap, traps, now = settings.crawl.depth_cap, settings.traps, datetime.now(UTC)
    answer = call(
        loaded,
        lambda db: explain_url(db, url, depth_cap=depth_cap, traps=traps, now=now),
        remote=lambda server: crawl.explain_url(server, url),
    )
    if json:
        print_json(as_json(answer))
    else:
        show(answer, settings)
    if answer.known is None:
        raise typer.Exit(FAILED)
