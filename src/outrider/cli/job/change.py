"""`outrider job pause`, `resume`, `cancel`, `retry`, `run` and `remove`: one job or many."""

from collections.abc import Callable

import typer

from outrider.cli.job.options import All, Label, ManyNamed, SourcePattern, Statuses, Yes
from outrider.cli.job.report import show_changed, show_results
from outrider.cli.options import Config, Data, DryRun, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.jobs.operate import JobChanges
from outrider.remote import jobs as remote_jobs
from outrider.services.as_json import as_json
from outrider.services.jobs.changes import (
    JobSelection,
    JobVerb,
    change_job,
    change_jobs,
    command_for,
    count_selected,
)
from outrider.services.jobs.jobs import read_statuses
from outrider.settings import Loaded
from outrider.wording import plural


def apply_to(
    selection: JobSelection,
    verb: JobVerb,
    loaded: Loaded,
    *,
    json: bool,
    dry_run: bool = False,
    changes: JobChanges | None = None,
) -> None:
    """Carry out a command. Exits with 1 if a job refuses; the others are changed nevertheless."""
    selection = selection.checked()
    if changes is not None and changes == JobChanges():
        raise InvalidInput("say what changes: --every, --priority, --adaptive or --max-retries")
    command = command_for(verb, loaded.settings.jobs, changes)
    if selection.is_single and not dry_run:
        found = change(
            loaded,
            lambda db: change_job(db, selection.named[0], command),
            remote=lambda server: remote_jobs.change_job(server, selection.named[0], verb, changes),
        )
        print_json(as_json(found)) if json else show_changed(found, verb)
        return
    results = call(
        loaded,
        lambda db: change_jobs(db, selection, command, dry_run=dry_run),
        remote=lambda server: remote_jobs.change_jobs(server, selection, verb, changes, dry_run=dry_run),
    )
    print_json(as_json(results)) if json else show_results(results, verb)
    if results.refused:
        raise typer.Exit(FAILED)


def _safe(verb: JobVerb, help_text: str) -> Callable[..., None]:
    """A command that can be taken back, so that it asks no question."""

    def command(
        named: ManyNamed = None,
        label: Label = None,
        source: SourcePattern = None,
        status: Statuses = "",
        all_: All = False,
        dry_run: DryRun = False,
        json: Json = False,
        data: Data = None,
        config: Config = None,
    ) -> None:
        selection = JobSelection(named or (), label, source, read_statuses(status), all_)
        apply_to(selection, verb, load_settings(config, data=data), json=json, dry_run=dry_run)

    command.__doc__ = help_text
    return command


def _final(
    verb: JobVerb, help_text: str, question: Callable[[JobSelection, Loaded], str]
) -> Callable[..., None]:
    """A command that cannot be taken back: it asks first."""

    def command(
        named: ManyNamed = None,
        label: Label = None,
        source: SourcePattern = None,
        status: Statuses = "",
        all_: All = False,
        yes: Yes = False,
        dry_run: DryRun = False,
        json: Json = False,
        data: Data = None,
        config: Config = None,
    ) -> None:
        selection = JobSelection(named or (), label, source, read_statuses(status), all_).checked()
        loaded = load_settings(config, data=data)
        asked = "" if yes or dry_run else question(selection, loaded)
        if asked and not typer.confirm(asked, err=True):
            raise typer.Abort
        apply_to(selection, verb, loaded, json=json, dry_run=dry_run)

    command.__doc__ = help_text
    return command


def _about_cancel(selection: JobSelection, loaded: Loaded) -> str:
    """One job that was named is cancelled without a question."""
    if selection.is_single:
        return ""
    return f"Cancel {_number(selection, loaded)} for ever?"


def _about_removal(selection: JobSelection, loaded: Loaded) -> str:
    return f"Remove {_number(selection, loaded)} and the history of its runs?"


def _number(selection: JobSelection, loaded: Loaded) -> str:
    if selection.is_single:
        return f"the job {selection.named[0]}"
    counted = call(
        loaded,
        lambda db: count_selected(db, selection),
        remote=lambda server: remote_jobs.count_selected(server, selection),
    )
    return plural(counted, "job")


pause = _safe(
    JobVerb.PAUSE, "Pause scheduled jobs until they are resumed. Feeds and sitemaps are still polled."
)
resume = _safe(JobVerb.RESUME, "Resume paused jobs, each in the least-loaded slot.")
retry = _safe(JobVerb.RETRY, "Run failed jobs now, with all their retries.")
run = _safe(
    JobVerb.RUN,
    "Run scheduled jobs now; later runs keep their times. A one-time job that is over runs again.",
)
cancel = _final(
    JobVerb.CANCEL,
    "Cancel jobs for ever, and the runs that go on. `outrider job pause` is for a while.",
    _about_cancel,
)
remove = _final(
    JobVerb.REMOVE,
    "Remove jobs and the history of their runs. A running job has to be cancelled first.",
    _about_removal,
)
