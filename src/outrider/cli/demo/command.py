"""`outrider demo`: a crawl of a small site that Outrider serves itself."""

from contextlib import suppress
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json

# On loopback, in a database of its own, and without patience for what wants to be asked again in a minute.
QUICK = {"allow_private": "127.0.0.0/8", "database_url": "", "delay": "20ms", "patience": "3s"}


def demo(
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the site, to look at in a browser.")
    ] = False,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Crawl a small site that Outrider serves itself.

    It has one of everything a crawler meets sooner or later; the end says what became of each. Without
    --data nothing of it is kept.
    """
    from outrider.cli.demo.run import crawl_demo, serve_demo
    from outrider.cli.running import load_settings, run

    if serve:
        with suppress(KeyboardInterrupt):
            run(serve_demo())
        return
    if not run(crawl_demo(lambda folder: load_settings(config, data=folder, **QUICK), data, json=json)):
        raise typer.Exit(1)
