"""`outrider run`: list, show, follow and cancel runs."""

from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.database import has_database
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import print_json
from outrider.cli.run.log import log
from outrider.cli.run.report import show_cancelled, show_details, show_runs
from outrider.cli.running import load_settings
from outrider.cli.use_case import Connection, call, change
from outrider.remote import runs as remote_runs
from outrider.remote.server import Server
from outrider.runs.listing import RunStats
from outrider.runs.model import StartedBy
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import ListPage, PageRequest
from outrider.services.runs.details import RunSummary
from outrider.services.runs.runs import RunFilter, cancel_run, list_runs, show_run, stats_of_runs

Numbered = Annotated[
    str,
    typer.Argument(metavar="RUN", help="The number of the run; `last`: the newest.", show_default=False),
]


def list_(
    status: Annotated[
        str,
        typer.Option(
            metavar="STATUS,…",
            help="Only runs in these states: running, completed, failed, cancelled.",
            show_default=False,
        ),
    ] = "",
    source: Annotated[
        str,
        typer.Option(
            metavar="SOURCE",
            help="Only runs of this source: its name, number or address. Adds a line with their numbers.",
            show_default=False,
        ),
    ] = "",
    started_by: Annotated[
        StartedBy | None,
        typer.Option("--started-by", help="Only runs that this started.", show_default=False),
    ] = None,
    job: Annotated[
        str, typer.Option(metavar="ID", help="Only runs of the job with this id.", show_default=False)
    ] = "",
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List runs, newest first."""
    loaded = load_settings(config, data=data)
    wanted, page = RunFilter(status, source, started_by, job), PageRequest(limit, offset)

    async def look(db: Connection) -> tuple[ListPage[RunSummary], RunStats | None]:
        found = await list_runs(db, wanted, page)
        return found, await stats_of_runs(db, source) if source else None

    async def look_there(server: Server) -> tuple[ListPage[RunSummary], RunStats | None]:
        found = await remote_runs.list_runs(server, wanted, page)
        return found, await remote_runs.stats_of_runs(server, source) if source else None

    found: ListPage[RunSummary] = ListPage([], 0, limit, offset)
    stats: RunStats | None = None
    if has_database(loaded):
        found, stats = call(loaded, look, remote=look_there, may_create=True)
    if json:
        print_json(list_as_json(found, "runs") | ({} if stats is None else {"stats": as_json(stats)}))
    else:
        show_runs(found, stats, is_narrow=wanted.is_narrow)


def show(named: Numbered, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show a run: its state, its progress or its result, and its metrics."""
    found = call(
        load_settings(config, data=data),
        lambda db: show_run(db, named),
        remote=lambda server: remote_runs.show_run(server, named),
    )
    print_json(as_json(found)) if json else show_details(found)


def cancel_(named: Numbered, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Cancel a run. Its queued pages leave the queue; the next run of the same crawl or job fetches them."""
    loaded = load_settings(config, data=data)
    frontier, request_s = loaded.settings.frontier, loaded.settings.fetch.timeout_s
    found = change(
        loaded,
        lambda db: cancel_run(db, named, frontier, request_s),
        remote=lambda server: remote_runs.cancel_run(server, named),
    )
    print_json(as_json(found)) if json else show_cancelled(found)


run = submenu("run", {"list": list_, "show": show, "log": log, "cancel": cancel_})
