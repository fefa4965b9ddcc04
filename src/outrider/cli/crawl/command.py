"""`outrider crawl`: its options and what they mean."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Contact, Data, Json, Quiet
from outrider.cli.output import say
from outrider.cli.streams import Unwritable
from outrider.durations import seconds_of
from outrider.errors import InvalidInput
from outrider.sources.policy import Policy
from outrider.sources.scope import DEEP, ScopeKind

Urls = Annotated[
    list[str] | None,
    typer.Argument(metavar="URL", help="Start URLs; `example.com` is enough.", show_default=False),
]


def _age(text: str | None) -> timedelta | None:
    try:
        return None if text is None else timedelta(seconds=seconds_of(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def crawl(
    urls: Urls = None,
    seeds: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More start URLs, one a line.", show_default=False)
    ] = None,
    depth: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=-1,
            help="Follow links to this depth; 0: the default; -1: up to OUTRIDER_DEPTH_CAP. [default: 3]",
            show_default=False,
        ),
    ] = 0,
    max_pages: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Fetch at most N pages.", show_default=False)
    ] = None,
    max_pages_per_host: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Fetch at most N pages of each host.", show_default=False),
    ] = None,
    scope: Annotated[
        ScopeKind, typer.Option(help="Stay on the seeds' hosts, domains or folders, or go anywhere.")
    ] = ScopeKind.HOST,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Only URLs that match one of these.", show_default=False),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="No URL that matches one of these.", show_default=False),
    ] = None,
    allow_domain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DOMAIN", help="Also this domain; `*.example.com`: all below it.", show_default=False
        ),
    ] = None,
    bar_domain: Annotated[
        list[str] | None, typer.Option(metavar="DOMAIN", help="Not this domain.", show_default=False)
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="S",
            help="Pause between requests to a host; robots.txt may ask for more. [default: 1s]",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes. [default: one a core]", show_default=False)
    ] = None,
    recrawl: Annotated[
        str | None,
        typer.Option(
            metavar="AGE",
            help="Fetch pages again that are older, as in 12h or 7d; 0: all.",
            show_default=False,
        ),
    ] = None,
    main_text: Annotated[
        bool,
        typer.Option("--main-text", help="Store the main text, author and date of each page; slower."),
    ] = False,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="For sites you own.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write all pages to this file at the end: .jsonl, .csv or .parquet.",
            show_default=False,
        ),
    ] = None,
    contact: Contact = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl from one or more URLs, and watch it live.

    All data is in the data directory. Ctrl-C finishes requests in progress; the same command resumes.
    """
    age = _age(recrawl)
    # The fork server and the database start while this process imports. A wrong option is reported before.
    from outrider.workers.prepare import prepare_workers

    prepare_workers()
    from outrider.cli.contact import require_contact
    from outrider.cli.crawl.output import output_of
    from outrider.cli.crawl.seeds import read_seeds, seeds_of
    from outrider.cli.early_start import start_database
    from outrider.cli.running import load_settings, run

    loaded = load_settings(config, data=data, workers=workers, delay=delay, contact=contact)
    found = seeds_of([*(urls or ()), *(read_seeds(seeds) if seeds else ())])
    if not found.urls:
        raise InvalidInput("give at least one URL to start from, as in `outrider crawl https://example.com`")
    require_contact(loaded.settings.fetch, found.urls)
    policy = Policy(
        seeds=found.urls,
        scope=scope,
        include=include or (),
        exclude=exclude or (),
        allowed_domains=allow_domain or (),
        barred_domains=bar_domain or (),
        max_depth=depth,
        max_pages=max_pages,
        max_pages_per_host=max_pages_per_host,
        delay_s=None if delay is None else loaded.settings.hosts.delay_ms / 1000,
        ignore_robots=ignore_robots,
        main_text=main_text,
    )
    policy.bounds()  # a bad pattern is reported now
    if not quiet:
        for url in found.guessed[:3]:
            say(f"no scheme given, using {url}")
        if depth > DEEP:
            say(f"depth {depth} is deep: most sites need at most {DEEP}, and traps are deeper")
    unheard: Exception | None = None
    with output_of(policy, loaded, output) as write_pages:
        early = start_database(loaded.settings)
        from outrider.cli.crawl.run import CrawlDisplay, crawl_and_report

        try:
            if not run(crawl_and_report(loaded, policy, CrawlDisplay(json, quiet), age, early)):
                raise typer.Exit(1)
        except (Unwritable, BrokenPipeError) as error:  # write the file although the crawl was interrupted
            unheard = error
        write_pages()
    if unheard is not None:
        raise unheard
