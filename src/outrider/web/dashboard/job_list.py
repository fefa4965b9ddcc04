"""`/jobs`: which jobs are there, in which state, and what can be done to many at once (UI-06)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.jobs.filter import JobFilter, JobSort
from outrider.jobs.model import JobStatus
from outrider.services.jobs.changes import (
    JobResults,
    JobSelection,
    JobVerb,
    change_jobs,
    command_for,
)
from outrider.services.jobs.history import StatusCounts, count_jobs
from outrider.services.jobs.jobs import JobDetails, list_jobs
from outrider.services.paging import ListPage
from outrider.web.dashboard.forms import MOST_TOLD, Chosen, Selected, SelectedForm
from outrider.web.dashboard.job_words import DONE_TO_JOBS, VERB_WORDS, allowed_verbs
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import back_path
from outrider.web.dependencies import Context, Db, Paging
from outrider.wording import plural

router = PageRouter()


# The bar above the list, in its order.
BULK_VERBS = (JobVerb.RUN, JobVerb.PAUSE, JobVerb.RESUME, JobVerb.RETRY, JobVerb.CANCEL, JobVerb.REMOVE)


@dataclass(frozen=True, slots=True)
class JobsPage:
    """The list of jobs with its filters."""

    jobs: ListPage[JobDetails]
    counts: StatusCounts
    state: JobStatus | None
    label: str
    source: str
    search: str
    sort: JobSort

    verbs = tuple((verb, VERB_WORDS[verb]) for verb in BULK_VERBS)
    states = tuple(JobStatus)
    sorts = tuple(JobSort)

    @property
    def is_filtered(self) -> bool:
        return bool(self.state or self.label or self.source or self.search)

    @property
    def can_take_all(self) -> bool:
        """Whether a command can name all that match: by state and label, not by a search."""
        return bool((self.state or self.label) and not self.source and not self.search)

    def allowed(self, details: JobDetails) -> Sequence[JobVerb]:
        return allowed_verbs(details)


@dataclass(frozen=True, slots=True)
class JobConfirmation:
    """What a change of many jobs would do."""

    verb: JobVerb
    word: str
    results: JobResults
    selected: Sequence[str]
    label: str
    state: JobStatus | None
    back: str

    @property
    def refused(self) -> Sequence[tuple[str, str]]:
        """Jobs that stay as they are, and why."""
        found = [(each.source_name, each.error) for each in self.results.jobs if each.error is not None]
        return found[:MOST_TOLD]

    @property
    def will(self) -> str:
        """What happens to the jobs that do not refuse."""
        return DONE_TO_JOBS[self.verb].format(is_="will be")


@router.get("/jobs")
async def show_jobs(
    request: Request,
    db: Db,
    paging: Paging,
    state: Annotated[JobStatus | None, Query()] = None,
    label: Chosen = "",
    source: Chosen = "",
    search: Chosen = "",
    sort: JobSort = JobSort.NEXT_RUN_AT,
) -> Response:
    wanted = JobFilter((state,) if state else (), search, label=label or None, sort=sort)
    jobs = await list_jobs(db, wanted, paging, source)
    page = JobsPage(jobs, await count_jobs(db), state, label, source, search, sort)
    return render(request, "jobs/jobs.html", page, title="Jobs")


@router.get("/jobs/bulk/confirm", Role.ADMIN)
async def confirm_bulk(
    request: Request,
    db: Db,
    context: Context,
    verb: JobVerb,
    selected: Selected = [],  # noqa: B006 (pydantic copies it)
    matching: bool = False,
    label: Chosen = "",
    state: Annotated[JobStatus | None, Query()] = None,
    back: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """A dry run: every change is made and rolled back, so the numbers are those of this moment."""
    command = command_for(_bulk_verb(verb), context.settings.jobs)
    selection = _selection(selected, label, state, matching=matching)
    results = await change_jobs(db, selection, command, dry_run=True)
    names = [] if matching else selected
    path = back_path(request, back, "/jobs")
    page = JobConfirmation(verb, VERB_WORDS[verb], results, names, label, state, path)
    return render(request, "jobs/confirm.html", page, title=f"{VERB_WORDS[verb]} jobs")


@router.post("/jobs/bulk", "job.bulk", in_transaction=False)
async def change_bulk(
    request: Request,
    db: Db,
    context: Context,
    verb: Annotated[JobVerb, Form()],
    selected: SelectedForm = [],  # noqa: B006 (pydantic copies it)
    matching: Annotated[bool, Form()] = False,
    label: Annotated[str, Form(max_length=200)] = "",
    state: Annotated[str, Form(max_length=20)] = "",
    back: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    command = command_for(_bulk_verb(verb), context.settings.jobs)
    status = JobStatus(state) if state in list(JobStatus) else None
    results = await change_jobs(db, _selection(selected, label, status, matching=matching), command)
    path = "/jobs" if verb is JobVerb.REMOVE else back_path(request, back, "/jobs")
    kind = "success" if results.changed else "danger"
    return done(request, path, _told(verb, results), kind=kind)


def _bulk_verb(verb: JobVerb) -> JobVerb:
    if verb not in BULK_VERBS:
        raise InvalidInput("a job is edited on its own page")
    return verb


def _selection(
    selected: Sequence[str], label: str, state: JobStatus | None, *, matching: bool
) -> JobSelection:
    if matching:
        if not (label or state):
            raise InvalidInput("filter by state or label first, then take all that match")
        return JobSelection(label=label or None, statuses=(state,) if state else ())
    if not selected:
        raise InvalidInput("select at least one job in the list")
    return JobSelection(selected)


def _told(verb: JobVerb, results: JobResults) -> str:
    is_ = "is" if results.changed == 1 else "are"
    told = f"{plural(results.changed, 'job')} {DONE_TO_JOBS[verb].format(is_=is_)}."
    if not results.refused:
        return told
    why = next(each.error for each in results.jobs if each.error is not None)
    return f"{told} {plural(results.refused, 'job')} refused, the first because {why}."
