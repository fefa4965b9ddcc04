"""`outrider job`: look at the jobs of sources, pause and resume them."""

from collections.abc import Awaitable, Callable
from typing import Annotated

import asyncpg
import typer

from outrider.cli.commands import submenu
from outrider.cli.database import has_database, open_database
from outrider.cli.job.report import as_json, show_job, show_jobs
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings, run
from outrider.cli.source.write import write
from outrider.jobs.model import Job, Status
from outrider.jobs.operate import job_of, pause, resume
from outrider.jobs.store import JobFilter, JobLine, JobStore
from outrider.sources.model import Watched
from outrider.sources.store import WatchedStore
from outrider.watch.registry import Registry

Action = Callable[[asyncpg.Connection, Watched], Awaitable[Job]]
Named = Annotated[
    str, typer.Argument(metavar="SOURCE", help="Name, number or address of its source.", show_default=False)
]


def list_(
    status: Annotated[
        Status | None, typer.Option(help="Only those in this state.", show_default=False)
    ] = None,
    search: Annotated[
        str, typer.Option(metavar="TEXT", help="In name or address of the source.", show_default=False)
    ] = "",
    limit: Limit = 500,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List jobs, the next to run first."""
    loaded = load_settings(config, data=data)
    wanted = JobFilter(status, search, limit=limit, offset=offset)

    async def work() -> tuple[list[JobLine], int]:
        if not has_database(loaded):
            return [], 0
        async with open_database(loaded) as database, database.connection() as db:
            return await JobStore().page(db, wanted)

    found, total = run(work())
    if json:
        print_json({"total": total, "jobs": [as_json(line.job, line.source_name) for line in found]})
    else:
        show_jobs(found, total, is_narrow=wanted.is_narrow)


def show(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show the job of a source: how often it runs, when next, and what came of the last run."""
    _do(named, job_of, None, json, data, config)


def pause_(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Run it no more until it is resumed. Feeds and sitemaps of the source are asked as before."""
    _do(named, pause, "paused", json, data, config)


def resume_(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Run a paused job again."""
    _do(named, resume, "resumed", json, data, config)


def _do(named: str, action: Action, end: str | None, json: bool, data: Data, config: Config) -> None:
    """Find a source and act on its job in one transaction; without an end there is only something to show."""
    loaded = load_settings(config, data=data)

    async def work(db: asyncpg.Connection, _: Registry) -> tuple[Job, str]:
        source = await WatchedStore().find(db, named)
        return await action(db, source), source.name

    found, name = run(write(loaded, work))
    if json:
        print_json(as_json(found, name))
    elif end is None:
        show_job(found, name)
    else:
        console().print(plain(f"The job of {name} is {end}."))


job = submenu("job", {"list": list_, "show": show, "pause": pause_, "resume": resume_})
