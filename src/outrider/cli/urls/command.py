"""`outrider urls`: the entries of the frontier, filtered and sorted."""

from enum import StrEnum
from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings, run
from outrider.cli.show.records import record
from outrider.cli.source.called import source_called
from outrider.cli.spelling import host_named
from outrider.cli.urls.report import show
from outrider.frontier.listing import DEFAULT_LIMIT, MOST_ROWS, MOST_SORTED, Listing, Order, Wanted, list_urls
from outrider.frontier.model import Kind, Origin, State


class Status(StrEnum):
    """What an entry can be."""

    PENDING = "pending"
    FETCHED = "fetched"
    DEAD = "dead"
    ALIAS = "alias"
    # Names of earlier crawlers (CON-07):
    COMPLETED = "completed"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"

    @property
    def state(self) -> State:
        return _EARLIER.get(self) or State[self.name]


_EARLIER = {
    Status.COMPLETED: State.FETCHED,
    Status.FAILED: State.DEAD,
    Status.IN_PROGRESS: State.PENDING,  # a URL is pending until its result is written
}


class Asked(StrEnum):
    """What an entry can ask for."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    ROBOTS = "robots"


def urls(
    status: Annotated[
        Status | None,
        typer.Option(
            metavar="pending|fetched|dead|alias",
            help="Only these; completed, failed and in_progress are understood.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only on this host.", show_default=False)
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this source.", show_default=False)
    ] = None,
    origin: Annotated[
        Origin | None, typer.Option(help="Only what came to us this way.", show_default=False)
    ] = None,
    kind: Annotated[
        Asked | None,
        typer.Option(help="Only this kind; without it all but robots.txt.", show_default=False),
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only URLs that contain this.", show_default=False)
    ] = None,
    error: Annotated[
        str | None,
        typer.Option(
            metavar="REASON", help="Only what failed for this reason, or a part of it.", show_default=False
        ),
    ] = None,
    sort: Annotated[Order, typer.Option(help="What the list begins with.")] = Order.PRIORITY,
    limit: Annotated[int, typer.Option(min=1, max=MOST_ROWS, help="URLs in the list.")] = DEFAULT_LIMIT,
    offset: Annotated[int, typer.Option(min=0, max=MOST_SORTED, help="URLs to leave out before.")] = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List URLs by what became of them.

    For a whole table as a file there is `outrider export urls`.
    """
    name = None if host is None else host_named(host)
    loaded = load_settings(config, data=data)

    async def work() -> Listing:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            wanted = Wanted(
                status=None if status is None else status.state,
                source_id=await source_called(db, source),
                host=name,
                origin=origin,
                kind=None if kind is None else Kind[kind.name],
                search=search,
                error=error,
                order=sort,
                limit=limit,
                offset=offset,
            )
            return await list_urls(db, wanted)

    found = run(work())
    if json:
        print_json(record(found))
    else:
        show(found, offset)
