"""`outrider add`: URLs into the queue, by hand."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.crawl.seeds import MOST_SEEDS, read_seeds
from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, fail, plain, print_json, say, table
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.show.records import record
from outrider.frontier.model import Result
from outrider.frontier.priority import parse_priority
from outrider.frontier.store import FrontierStore
from outrider.services.sources import source_id_named
from outrider.urls.typed import address_of
from outrider.watch.submit import SubmittedUrl, submit_by_hand
from outrider.wording import count

MOST_SHOWN = 20


def add(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="[URL]...", help="What to fetch.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The source they belong to. [default: the one of their host, or adhoc]",
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
    """Put URLs in the queue by hand.

    A new URL is inserted. A queued one is raised: to a higher priority, or to now. One that is fetched or
    dead is known and left alone; `outrider retry` takes dead ones. `outrider watch` fetches what is queued.
    """
    level = parse_priority(priority)
    wanted = [address_of(text) for text in (*(urls or ()), *(read_seeds(file) if file else ()))]
    if not wanted:
        fail("name the URLs to add, or a file of them with --file", WRONG_USAGE)
    if len(wanted) > MOST_SEEDS:
        fail(f"at most {MOST_SEEDS:,} URLs can be added at once", WRONG_USAGE)
    loaded = load_settings(config, data=data)

    async def work() -> list[SubmittedUrl]:
        async with open_database(loaded) as database, database.connection() as db:
            frontier = FrontierStore(loaded.settings.frontier)
            return await submit_by_hand(db, frontier, wanted, await source_id_named(db, source), level)

    found = run(work())
    if json:
        tally = Counter(each.result for each in found)
        print_json(
            {result.value: tally[result] for result in Result} | {"urls": [record(each) for each in found]}
        )
    else:
        _show(found)


def _show(found: list[SubmittedUrl]) -> None:
    out = console()
    if len(found) <= MOST_SHOWN:
        out.print(
            table(("", "URL", "source"), ((each.result.value, each.url, each.source) for each in found))
        )
    tally = Counter(each.result for each in found)
    out.print(plain(", ".join(f"{count(tally[result])} {result.value}" for result in Result) + "."))
    for name in sorted({each.source for each in found if each.held and each.result is not Result.KNOWN}):
        say(f"{name!r} is disabled or put aside: its URLs wait until it goes on")
