"""`outrider add`: queue URLs."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.crawl.seeds import MOST_SEEDS, read_seeds
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, fail, plain, print_json, say, table
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.use_case import call
from outrider.frontier.model import SubmissionResult
from outrider.frontier.priority import parse_priority
from outrider.services.as_json import as_json
from outrider.services.urls.urls import AddedUrls, add_urls
from outrider.urls.typed import address_of
from outrider.wording import count

MOST_SHOWN = 20


def add(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="[URL]...", help="The URLs to fetch.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The source of the URLs. [default: the source of their host, or adhoc]",
            show_default=False,
        ),
    ] = None,
    priority: Annotated[
        str | None,
        typer.Option(metavar="N", help="1 to 10, or low, medium, high. [default: 5]", show_default=False),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="More URLs, one a line; - reads standard input.", show_default=False
        ),
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Queue URLs.

    A new URL is inserted. A queued URL is raised: to a higher priority, or to now. A fetched or dead URL
    stays as it is; `outrider retry` queues dead URLs again. `outrider watch` fetches queued URLs.
    """
    level = parse_priority(priority)
    wanted = [address_of(text) for text in (*(urls or ()), *(read_seeds(file) if file else ()))]
    if not wanted:
        fail("name the URLs to add, or a file with URLs with --file", WRONG_USAGE)
    if len(wanted) > MOST_SEEDS:
        fail(f"at most {MOST_SEEDS:,} URLs can be added at once", WRONG_USAGE)
    loaded = load_settings(config, data=data)
    options = loaded.settings.frontier
    found = call(loaded, lambda db: add_urls(db, wanted, source, level, options), may_create=True)
    if json:
        print_json(as_json(found))
    else:
        _show(found)


def _show(found: AddedUrls) -> None:
    out = console()
    if len(found.urls) <= MOST_SHOWN:
        rows = ((each.result.value, each.url, each.source) for each in found.urls)
        out.print(table(("", "URL", "source"), rows))
    counts = {"inserted": found.inserted, "raised": found.raised, "known": found.known}
    out.print(plain(", ".join(f"{count(number)} {result}" for result, number in counts.items()) + "."))
    waiting = {each.source for each in found.urls if each.held and each.result is not SubmissionResult.KNOWN}
    for name in sorted(waiting):
        say(f"{name!r} is disabled or suspended: its URLs wait until it is enabled or resumed")
