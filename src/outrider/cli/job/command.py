"""`outrider job`: list, pause and resume the jobs of sources."""

from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.database import has_database
from outrider.cli.job.report import show_details, show_jobs
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import Connection, call, change
from outrider.jobs.model import JobStatus
from outrider.jobs.store import JobFilter
from outrider.services.as_json import as_json, list_as_json
from outrider.services.jobs import JobDetails, list_jobs, pause_job, resume_job, show_job
from outrider.services.paging import ListPage, PageRequest

JobUseCase = Callable[[Connection, str], Awaitable[JobDetails]]
Named = Annotated[
    str, typer.Argument(metavar="SOURCE", help="Name, number or address of its source.", show_default=False)
]


def list_(
    status: Annotated[
        JobStatus | None, typer.Option(help="Only jobs in this state.", show_default=False)
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Only sources whose name or address contains this.", show_default=False
        ),
    ] = "",
    limit: Limit = 500,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List jobs, the next to run first."""
    loaded = load_settings(config, data=data)
    wanted, page = JobFilter(status, search), PageRequest(limit, offset)
    found: ListPage[JobDetails] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        found = call(loaded, lambda db: list_jobs(db, wanted, page), may_create=True)
    if json:
        print_json(list_as_json(found, "jobs"))
    else:
        show_jobs(found, is_narrow=wanted.is_narrow)


def show(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show the job of a source: its interval, its next run and the result of its last run."""
    _do(named, show_job, None, json, data, config)


def pause_(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Pause a job until it is resumed. Feeds and sitemaps of the source are still polled."""
    _do(named, pause_job, "paused", json, data, config)


def resume_(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Run a paused job again."""
    _do(named, resume_job, "resumed", json, data, config)


def _do(named: str, use_case: JobUseCase, end: str | None, json: bool, data: Data, config: Config) -> None:
    """Run a use case on the job of a source. Without `end` it only shows the job."""
    loaded = load_settings(config, data=data)
    found = change(loaded, lambda db: use_case(db, named))
    if json:
        print_json(as_json(found))
    elif end is None:
        show_details(found)
    else:
        console().print(plain(f"The job of {found.source_name} is {end}."))


job = submenu("job", {"list": list_, "show": show, "pause": pause_, "resume": resume_})
