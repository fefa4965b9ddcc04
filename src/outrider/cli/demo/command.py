"""`outrider demo`: a crawl of a small site that Outrider serves itself."""

from contextlib import suppress
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json

# On loopback, in a separate database, and without long retries.
QUICK = {"allow_private": "127.0.0.0/8", "database_url": "", "delay": "20ms", "patience": "3s"}


def demo(
    serve: Annotated[bool, typer.Option("--serve", help="Only serve the site, for a browser.")] = False,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Crawl a small site that Outrider serves itself.

    The site has one example of each situation that crawlers meet; the report shows the result of each.
    Without --data nothing is kept.
    """
    from outrider.cli.demo.run import crawl_demo, serve_demo
    from outrider.cli.running import load_settings, run

    if serve:
        with suppress(KeyboardInterrupt):
            run(serve_demo())
        return
    if not run(crawl_demo(lambda folder: load_settings(config, data=folder, **QUICK), data, json=json)):
        raise typer.Exit(1)
