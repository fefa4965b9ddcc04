"""`outrider job add` and `outrider job edit`."""

from typing import Annotated

import typer

from outrider.cli.job.change import apply_to
from outrider.cli.job.options import (
    All,
    EveryText,
    Label,
    ManyNamed,
    Priority,
    Retries,
    SourcePattern,
    Statuses,
)
from outrider.cli.job.report import until
from outrider.cli.options import Config, Data, DryRun, Json
from outrider.cli.output import plain, print_json, show
from outrider.cli.running import load_settings
from outrider.cli.use_case import change
from outrider.jobs.model import MAX_RETRIES
from outrider.jobs.operate import JobChanges
from outrider.jobs.read_every import read_every
from outrider.remote import jobs as remote_jobs
from outrider.services.as_json import as_json
from outrider.services.jobs.changes import JobSelection, JobVerb
from outrider.services.jobs.jobs import JobDetails, JobRequest, add_job, read_statuses


def add(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="Name, number or address of the source.", show_default=False),
    ],
    every: EveryText = None,
    priority: Priority = None,
    adaptive: Annotated[
        bool,
        typer.Option("--adaptive/--no-adaptive", help="Run less often while the source does not change."),
    ] = True,
    max_retries: Retries = MAX_RETRIES,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Add a job to a source, besides the one that it has. Without --every it runs once, now."""
    interval = None if every is None else read_every(every)
    request = JobRequest(
        source, interval, priority, adaptive, MAX_RETRIES if max_retries is None else max_retries
    )
    loaded = load_settings(config, data=data)
    made = change(
        loaded,
        lambda db: add_job(db, request, loaded.settings.jobs),
        remote=lambda server: remote_jobs.add_job(server, request),
    )
    print_json(as_json(made)) if json else show(plain(_added(made)))


def edit(
    named: ManyNamed = None,
    every: EveryText = None,
    priority: Priority = None,
    adaptive: Annotated[
        bool | None,
        typer.Option(
            "--adaptive/--no-adaptive",
            help="Run less often while the source does not change.",
            show_default=False,
        ),
    ] = None,
    max_retries: Retries = None,
    label: Label = None,
    source: SourcePattern = None,
    status: Statuses = "",
    all_: All = False,
    dry_run: DryRun = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Change the interval, the priority or the retries of jobs. Another interval means another slot."""
    changes = JobChanges(None if every is None else read_every(every), priority, adaptive, max_retries)
    selection = JobSelection(named or (), label, source, read_statuses(status), all_)
    loaded = load_settings(config, data=data)
    apply_to(selection, JobVerb.EDIT, loaded, json=json, dry_run=dry_run, changes=changes)


def _added(made: JobDetails) -> str:
    job = made.job
    if job.every is None:
        return f"Job {job.job_id} of {made.source_name} is added: it runs once, now."
    return f"Job {job.job_id} of {made.source_name} is added: every {job.every}, first {until(job)}."
