"""`outrider demo`: a crawl of a small site that Outrider serves itself, or the platform with a newsroom."""

from contextlib import suppress
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json

# On loopback, in a separate database, and without long retries.
QUICK = {"allow_private": "127.0.0.0/8", "database_url": "", "delay": "20ms", "patience": "3s"}
# The newsroom's names exist on this machine only.
NEWSROOM = {
    "allow_private": "127.0.0.0/8",
    "database_url": "",
    "delay": "500ms",
    "resolve": "*.test=127.0.0.1",
    "contact": "demo@outrider.test",
    "host": "127.0.0.1",
}


def demo(
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Run the platform with a newsroom of 30 sources and a day of history."),
    ] = False,
    site_only: Annotated[
        bool, typer.Option("--site-only", help="Only serve the site, for a browser.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="With --serve: where to listen; 0 chooses a free port. [default: 8060]",
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Crawl a small site that Outrider serves itself, or run the platform with a newsroom (--serve).

    The site has one example of each situation that crawlers meet; the report shows the result of each.
    Everything happens on this machine. Without --data nothing is kept.
    """
    from outrider.cli.demo.run import crawl_demo, serve_demo
    from outrider.cli.running import load_settings, run

    if site_only:
        with suppress(KeyboardInterrupt):
            run(serve_demo())
        return
    if serve:
        from outrider.cli.demo.newsroom import serve_newsroom

        is_good = serve_newsroom(
            lambda folder, proxy: load_settings(config, data=folder, port=port, proxies=proxy, **NEWSROOM),
            data,
            json=json,
        )
    else:
        is_good = run(crawl_demo(lambda folder: load_settings(config, data=folder, **QUICK), data, json=json))
    if not is_good:
        raise typer.Exit(1)
