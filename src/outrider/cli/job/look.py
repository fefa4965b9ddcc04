"""`outrider job list`, `show`, `history` and `stats`."""

from typing import Annotated

import typer

from outrider.cli.database import has_database
from outrider.cli.job.options import JobLimit, Label, Named, Statuses
from outrider.cli.job.report import show_figures, show_jobs, show_report
from outrider.cli.job.run_report import show_history, show_stats
from outrider.cli.options import Config, Data, Json, Offset
from outrider.cli.output import print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.jobs.filter import JobFilter, JobSort
from outrider.remote import jobs as remote_jobs
from outrider.services.as_json import as_json, list_as_json
from outrider.services.jobs.history import figures_of_jobs, job_history, stats_of_job
from outrider.services.jobs.jobs import JobDetails, list_jobs, read_statuses, show_job
from outrider.services.paging import ListPage, PageRequest, read_sort


def list_(
    status: Statuses = "",
    search: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Only sources whose name or address contains this.", show_default=False
        ),
    ] = "",
    source: Annotated[
        str,
        typer.Option(
            metavar="SOURCE", help="Only jobs of this source: name, number or address.", show_default=False
        ),
    ] = "",
    label: Label = None,
    sort: Annotated[
        str,
        typer.Option(metavar="FIELD", help=f"Sort by {', '.join(each.value for each in JobSort)}."),
    ] = JobSort.NEXT_RUN_AT.value,
    descending: Annotated[bool, typer.Option("--descending", help="The largest or latest first.")] = False,
    limit: JobLimit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List jobs, the next to run first."""
    order, statuses = read_sort(JobSort, sort), read_statuses(status)
    loaded = load_settings(config, data=data)
    wanted = JobFilter(statuses, search, label=label, sort=order, descending=descending)
    found: ListPage[JobDetails] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        page = PageRequest(limit, offset)
        found = call(
            loaded,
            lambda db: list_jobs(db, wanted, page, source),
            remote=lambda server: remote_jobs.list_jobs(server, wanted, page, source),
            may_create=True,
        )
    if json:
        print_json(list_as_json(found, "jobs"))
    else:
        show_jobs(found, is_narrow=wanted.is_narrow or bool(source))


def show(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show a job: its interval and why, its next run, its figures and its last runs."""
    found = call(
        load_settings(config, data=data),
        lambda db: show_job(db, named),
        remote=lambda server: remote_jobs.show_job(server, named),
    )
    print_json(as_json(found)) if json else show_report(found)


def history(
    named: Named,
    limit: JobLimit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the runs of a job, newest first. The last 100 of up to 30 days are kept."""
    page = PageRequest(limit, offset)
    found = call(
        load_settings(config, data=data),
        lambda db: job_history(db, named, page),
        remote=lambda server: remote_jobs.job_history(server, named, page),
    )
    print_json(list_as_json(found, "runs")) if json else show_history(found)


def stats(
    named: Annotated[
        str | None,
        typer.Argument(
            metavar="[JOB]",
            help="Number or id of the job, or name or address of its source; without it, all jobs.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show the figures of a job, or of all jobs."""
    loaded = load_settings(config, data=data)
    if named is None:
        figures = call(loaded, figures_of_jobs, remote=remote_jobs.figures_of_jobs)
        print_json(as_json(figures)) if json else show_figures(figures)
    else:
        of_job = call(
            loaded,
            lambda db: stats_of_job(db, named),
            remote=lambda server: remote_jobs.stats_of_job(server, named),
        )
        print_json(as_json(of_job)) if json else show_stats(of_job)
