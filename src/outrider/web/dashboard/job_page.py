"""`/jobs/{id}`: how one job is doing, and its form (UI-06, UI-07)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.jobs.job_stats import JobStats
from outrider.jobs.model import MAX_RETRIES, RETRY_BACKOFF_S, Interval, Unit
from outrider.jobs.operate import JobChanges
from outrider.jobs.schedule import read_interval
from outrider.log_archive import log_archive_of
from outrider.services.jobs.changes import JobVerb, change_job, command_for
from outrider.services.jobs.history import job_history, stats_of_job
from outrider.services.jobs.jobs import (
    HIGHEST_PRIORITY,
    MOST_RETRIES,
    JobDetails,
    JobRequest,
    add_job,
    read_job,
)
from outrider.services.jobs.runs import JobRun
from outrider.services.paging import ListPage, PageRequest
from outrider.services.runs.log_tail import LogTail, tail_log
from outrider.web.api.v1.ids import JobId
from outrider.web.api.v1.job_bodies import LONGEST_BACKOFF_S
from outrider.web.dashboard.forms import Chosen, ShortText, Tick, whole
from outrider.web.dashboard.job_words import DONE_TO_JOBS, VERB_WORDS, allowed_verbs
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db, Paging

router = PageRouter()

RUNS_SHOWN = 20
MOST_UNITS = 10_000_000
_AT_ONCE = (JobVerb.RUN, JobVerb.PAUSE, JobVerb.RESUME, JobVerb.RETRY)


@dataclass(frozen=True, slots=True)
class JobPage:
    """One job: its schedule, figures, executions and the log of the latest one."""

    details: JobDetails
    stats: JobStats
    runs: ListPage[JobRun]
    log: LogTail | None

    @property
    def verbs(self) -> Sequence[tuple[JobVerb, str]]:
        """What can be done without a question, and is undone as easily."""
        allowed = allowed_verbs(self.details)
        return [(verb, VERB_WORDS[verb]) for verb in _AT_ONCE if verb in allowed]

    @property
    def dangerous(self) -> Sequence[tuple[JobVerb, str]]:
        """What a page asks about first."""
        allowed = allowed_verbs(self.details)
        return [(verb, VERB_WORDS[verb]) for verb in (JobVerb.CANCEL, JobVerb.REMOVE) if verb in allowed]


@dataclass(frozen=True, slots=True)
class JobForm:
    """The form of a job: a new one, or one that is changed."""

    details: JobDetails | None
    source: str = ""

    units = tuple(Unit)
    max_retries = MAX_RETRIES
    backoff_s = RETRY_BACKOFF_S


@router.get("/jobs/new", Role.ADMIN)
async def show_new_job(request: Request, source: Chosen = "") -> Response:
    return render(request, "jobs/form.html", JobForm(None, source), title="New job")


@router.post("/jobs", "job.create")
async def create_by_form(
    request: Request,
    db: Db,
    context: Context,
    source: Annotated[str, Form(min_length=1, max_length=500)],
    every: ShortText = "",
    unit: Annotated[Unit, Form()] = Unit.HOURS,
    priority: ShortText = "",
    adaptive: Tick = False,
    max_retries: ShortText = "",
    retry_backoff_seconds: ShortText = "",
) -> Response:
    retries = whole(max_retries, "the number of retries", 0, MOST_RETRIES)
    backoff = whole(retry_backoff_seconds, "the wait before a retry", 1, LONGEST_BACKOFF_S)
    wanted = JobRequest(
        source.strip(),
        _interval(every, unit),
        whole(priority, "the priority", 0, HIGHEST_PRIORITY),
        adaptive,
        MAX_RETRIES if retries is None else retries,
        backoff or RETRY_BACKOFF_S,
    )
    made = await add_job(db, wanted, context.settings.jobs)
    return done(request, f"/jobs/{made.job.job_id}", f"Job {made.job.job_id} is added.")


@router.get("/jobs/{job_id}")
async def show_job_page(
    request: Request, db: Db, context: Context, paging: Paging, job_id: JobId
) -> Response:
    details = await read_job(db, job_id)
    named = str(details.job.job_id)
    runs = await job_history(db, named, PageRequest(RUNS_SHOWN, paging.offset))
    latest = await job_history(db, named, PageRequest(1)) if paging.offset else runs
    log = None
    if latest.items:
        log = await tail_log(db, log_archive_of(context.settings), str(latest.items[0].number))
    page = JobPage(details, await stats_of_job(db, named), runs, log)
    return render(request, "jobs/job.html", page, title=f"Job {named}: {details.source_name[:60]}")


@router.get("/jobs/{job_id}/edit", Role.ADMIN)
async def show_job_form(request: Request, db: Db, job_id: JobId) -> Response:
    page = JobForm(await read_job(db, job_id))
    return render(request, "jobs/form.html", page, title="Edit a job")


@router.post("/jobs/{job_id}/edit", "job.update")
async def edit_by_form(
    request: Request,
    db: Db,
    context: Context,
    job_id: JobId,
    every: ShortText = "",
    unit: Annotated[Unit, Form()] = Unit.HOURS,
    priority: ShortText = "",
    adaptive: Tick = False,
    max_retries: ShortText = "",
    retry_backoff_seconds: ShortText = "",
) -> Response:
    """An interval that stays the same is no change, so the job keeps its slot."""
    before = (await read_job(db, job_id)).job
    interval = _interval(every, unit)
    changes = JobChanges(
        None if interval is None or interval == before.every else interval,
        whole(priority, "the priority", 0, HIGHEST_PRIORITY),
        adaptive,
        whole(max_retries, "the number of retries", 0, MOST_RETRIES),
        whole(retry_backoff_seconds, "the wait before a retry", 1, LONGEST_BACKOFF_S),
    )
    await change_job(db, job_id, command_for(JobVerb.EDIT, context.settings.jobs, changes))
    return done(request, f"/jobs/{job_id}", f"Job {before.job_id} is changed.")


async def _act(request: Request, db: Db, context: Context, job_id: str, verb: JobVerb) -> Response:
    changed = await change_job(db, job_id, command_for(verb, context.settings.jobs))
    told = DONE_TO_JOBS[verb].format(is_="is")
    return done(request, f"/jobs/{changed.job.job_id}", f"Job {changed.job.job_id} {told}.")


@router.post("/jobs/{job_id}/pause", "job.pause")
async def pause_by_form(request: Request, db: Db, context: Context, job_id: JobId) -> Response:
    return await _act(request, db, context, job_id, JobVerb.PAUSE)


@router.post("/jobs/{job_id}/resume", "job.resume")
async def resume_by_form(request: Request, db: Db, context: Context, job_id: JobId) -> Response:
    return await _act(request, db, context, job_id, JobVerb.RESUME)


@router.post("/jobs/{job_id}/run", "job.force_run")
async def run_by_form(request: Request, db: Db, context: Context, job_id: JobId) -> Response:
    return await _act(request, db, context, job_id, JobVerb.RUN)


@router.post("/jobs/{job_id}/retry", "job.retry")
async def retry_by_form(request: Request, db: Db, context: Context, job_id: JobId) -> Response:
    return await _act(request, db, context, job_id, JobVerb.RETRY)


def _interval(every: str, unit: Unit) -> Interval | None:
    count = whole(every, "the interval", 1, MOST_UNITS)
    return None if count is None else read_interval(count, unit, schedule_enabled=True)
