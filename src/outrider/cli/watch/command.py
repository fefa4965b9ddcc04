"""`outrider watch`: the sources people added, kept up to date for as long as it runs."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Contact, Data, Json, Quiet


def watch(
    once: Annotated[
        bool, typer.Option("--once", help="Do what is due now and end; for cron, or to try a source.")
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

    Feeds and sitemaps are polled when they are due, what they announce is fetched, and sites without
    either are walked. Ctrl-C finishes what is under way; the next start goes on from there.
    """
    from outrider.cli.crawl.run import Manner
    from outrider.cli.running import load_settings, run
    from outrider.cli.watch.run import watch_and_tell

    loaded = load_settings(config, data=data, workers=workers, contact=contact)
    if not run(watch_and_tell(loaded, Manner(json, quiet), once=once)):
        raise typer.Exit(1)
