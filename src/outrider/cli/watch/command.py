"""`outrider watch`: keep the sources up to date while it runs."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Contact, Data, Json, Quiet


def watch(
    once: Annotated[
        bool, typer.Option("--once", help="Do what is due now and exit; for cron, or to test a source.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes. [default: one a core]", show_default=False)
    ] = None,
    contact: Contact = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch your sources: poll them and fetch new pages.

    Feeds and sitemaps are polled when they are due, new pages are fetched, and links are followed on sites
    without feed and sitemap. Ctrl-C finishes requests in progress; the next start continues from there.
    """
    from outrider.workers.prepare import PRELOAD_WATCH, prepare_workers

    prepare_workers(PRELOAD_WATCH)
    from outrider.cli.crawl.run import CrawlDisplay
    from outrider.cli.running import load_settings, run
    from outrider.cli.watch.run import watch_and_report

    loaded = load_settings(config, data=data, workers=workers, contact=contact)
    if not run(watch_and_report(loaded, CrawlDisplay(json, quiet), once=once)):
        raise typer.Exit(1)
