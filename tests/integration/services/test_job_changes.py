"""Use cases that change jobs, one and many."""

from dataclasses import replace

import pytest
from tests.support.scheduling import complete_run, fail_run, make_due, start_runs, watch

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.jobs.filter import JobFilter
from outrider.jobs.model import Interval, JobStatus, PausedBy, Unit
from outrider.jobs.operate import JobChanges
from outrider.jobs.options import JobOptions
from outrider.services.jobs.changes import (
    JobSelection,
    JobVerb,
    change_job,
    change_jobs,
    command_for,
    count_selected,
)
from outrider.services.jobs.history import job_history
from outrider.services.jobs.jobs import JobRequest, add_job, list_jobs, show_job
from outrider.services.paging import PageRequest
from outrider.watch.source_service import SourceService

OPTIONS = JobOptions()
SIX_HOURS = Interval(6, Unit.HOURS)


@pytest.fixture
async def blatt(operator):
    """A source with its managed job."""
    return await watch(operator, "blatt")


@pytest.fixture
async def job(operator, blatt):
    """A job that runs every six hours, besides the managed one."""
    return (await operator.run(lambda db: add_job(db, JobRequest("blatt", SIX_HOURS), OPTIONS))).job


async def do(operator, verb, named, changes=None, options=OPTIONS):
    command = command_for(verb, options, changes)
    return (await operator.run(lambda db: change_job(db, str(named), command))).job


async def do_to(operator, verb, changes=None, *, dry_run=False, **selected):
    command, selection = command_for(verb, OPTIONS, changes), JobSelection(**selected)
    return await operator.run(lambda db: change_jobs(db, selection, command, dry_run=dry_run))


async def stored(operator, job):
    return (await operator.run(lambda db: show_job(db, str(job.job_id)))).details.job


async def bring_to(operator, job, status):
    """What happens to a job until it is in this state."""
    match status:
        case JobStatus.PENDING:
            await do(operator, JobVerb.RUN, job.job_id)
        case JobStatus.RUNNING:
            await start_runs(operator, job.job_id)
        case JobStatus.PAUSED:
            await do(operator, JobVerb.PAUSE, job.job_id)
        case JobStatus.COMPLETED:
            await operator.run(
                lambda db: db.execute(
                    "UPDATE job SET interval_count = NULL, schedule_enabled = false, slot_at = NULL "
                    "WHERE job_id = $1",
                    job.job_id,
                )
            )
            await complete_run(operator, job.job_id)
        case JobStatus.FAILED:
            for _ in range(4):
                await fail_run(operator, job.job_id)
        case JobStatus.CANCELLED:
            await do(operator, JobVerb.CANCEL, job.job_id)
    assert (await stored(operator, job)).status is status


VALID = {
    JobVerb.PAUSE: {JobStatus.SCHEDULED},
    JobVerb.RESUME: {JobStatus.PAUSED},
    JobVerb.CANCEL: {JobStatus.SCHEDULED, JobStatus.RUNNING, JobStatus.PAUSED, JobStatus.PENDING},
    JobVerb.RETRY: {JobStatus.FAILED},
    JobVerb.RUN: {JobStatus.SCHEDULED, JobStatus.COMPLETED},
}


@pytest.mark.parametrize("status", JobStatus)
async def test_an_action_is_allowed_in_its_states_and_otherwise_refused_with_the_state(operator, job, status):
    await bring_to(operator, job, status)
    before = await stored(operator, job)

    for verb, states in VALID.items():
        found = await do_to(operator, verb, named=(str(job.job_id),), dry_run=True)
        assert (found.changed, found.refused) == ((1, 0) if status in states else (0, 1)), verb
        if status not in states:
            with pytest.raises(Conflict, match=f"the job is {status.value}: only a "):
                await do(operator, verb, job.job_id)
    assert await stored(operator, job) == before


async def test_a_job_is_paused_once_and_resumed_once(operator, blatt):
    paused = await do(operator, JobVerb.PAUSE, "blatt")
    with pytest.raises(Conflict, match="the job is paused: only a scheduled one can be paused"):
        await do(operator, JobVerb.PAUSE, "blatt")
    resumed = await do(operator, JobVerb.RESUME, "blatt")

    assert (paused.status, paused.paused_by) == (JobStatus.PAUSED, PausedBy.OPERATOR)
    assert (resumed.status, resumed.paused_by) == (JobStatus.SCHEDULED, None)


async def test_without_load_balancing_a_resumed_job_runs_now(operator, job):
    paused = await do(operator, JobVerb.PAUSE, job.job_id)
    resumed = await do(operator, JobVerb.RESUME, job.job_id, options=replace(OPTIONS, balancing=False))

    assert paused.next_run_at is None
    assert resumed.next_run_at == resumed.updated_at


async def test_a_cancelled_run_stops_and_is_in_the_history(operator, job):
    scheduler = await start_runs(operator, job.job_id)
    cancelled = await do(operator, JobVerb.CANCEL, job.job_id)
    assert cancelled.has_open_execution, "the scheduler ends the run"

    await scheduler.watch_runs()

    history = await operator.run(lambda db: job_history(db, str(job.job_id), PageRequest()))
    assert [(run.status.value, run.error_message) for run in history.items] == [
        ("cancelled", "the job was cancelled")
    ]
    assert not (await stored(operator, job)).has_open_execution


async def test_a_retried_job_has_all_its_retries_and_runs_now(operator, job):
    await bring_to(operator, job, JobStatus.FAILED)
    retried = await do(operator, JobVerb.RETRY, job.job_id)

    assert (retried.status, retried.current_retry_count, retried.error_message) == (
        JobStatus.PENDING,
        0,
        None,
    )
    assert retried.next_run_at == retried.updated_at


async def test_a_forced_run_keeps_the_rhythm(operator, job):
    forced = await do(operator, JobVerb.RUN, job.job_id)
    assert (forced.status, forced.slot_at) == (JobStatus.PENDING, job.slot_at)


async def test_a_one_time_job_that_is_over_runs_again_as_a_new_job(operator, job):
    await bring_to(operator, job, JobStatus.COMPLETED)
    again = await do(operator, JobVerb.RUN, job.job_id)

    assert again.job_id != job.job_id
    assert (again.status, again.every, again.source_id) == (JobStatus.PENDING, None, job.source_id)


@pytest.mark.parametrize("verb", [JobVerb.RUN, JobVerb.RETRY])
async def test_the_job_of_a_source_that_is_disabled_or_gone_is_not_run(operator, blatt, job, verb):
    await bring_to(operator, job, JobStatus.FAILED if verb is JobVerb.RETRY else JobStatus.SCHEDULED)
    sources = SourceService(operator.store)
    before = await stored(operator, job)

    await operator.run(lambda db: sources.disable(db, blatt, "sold"))
    with pytest.raises(Conflict, match="'blatt' is disabled: `outrider source enable` first"):
        await do(operator, verb, job.job_id)
    await operator.run(lambda db: sources.remove(db, blatt))
    with pytest.raises(NotFound, match=f"source {blatt.source_id} is not watched any more"):
        await do(operator, verb, job.job_id)

    assert await stored(operator, job) == before


async def test_another_interval_means_another_slot(operator, blatt, job):
    await make_due(operator, job.job_id)
    edited = await do(
        operator, JobVerb.EDIT, job.job_id, JobChanges(every=Interval(2, Unit.DAYS), priority=7)
    )

    assert (edited.every, edited.priority, edited.max_retries) == (Interval(2, Unit.DAYS), 7, 3)
    assert edited.next_run_at == edited.slot_at
    assert edited.next_run_at > edited.updated_at
    assert edited.placed_at == edited.updated_at


async def test_a_one_time_job_gets_no_interval(operator, job):
    await bring_to(operator, job, JobStatus.COMPLETED)
    with pytest.raises(Conflict, match="the job runs once: add a job with --every instead"):
        await do(operator, JobVerb.EDIT, job.job_id, JobChanges(every=SIX_HOURS))


async def test_a_running_job_is_not_removed_and_another_goes_with_its_runs(operator, job):
    scheduler = await start_runs(operator, job.job_id)
    with pytest.raises(Conflict, match="the job is running and its run goes on: cancel it first"):
        await do(operator, JobVerb.REMOVE, job.job_id)
    await scheduler.watch_runs()

    await do(operator, JobVerb.REMOVE, job.job_id)

    with pytest.raises(NotFound):
        await stored(operator, job)
    runs = await operator.run(
        lambda db: db.fetchval("SELECT count(*) FROM run WHERE job_id = $1", job.job_id)
    )
    assert runs == 0


@pytest.fixture
async def many(operator):
    """Three sources about sport and one about news; the job of one is paused."""
    for name in ("sport-a", "sport-b", "sport-c"):
        await watch(operator, name, labels="sport")
    await watch(operator, "news_a", labels="news")
    await do(operator, JobVerb.PAUSE, "sport-b")


async def states(operator):
    found = await operator.run(lambda db: list_jobs(db, JobFilter(), PageRequest()))
    return {each.source_name: each.job.status.value for each in found.items}


async def test_one_job_that_refuses_stops_no_other(operator, many):
    done = await do_to(operator, JobVerb.PAUSE, label="sport")

    assert (done.changed, done.refused) == (2, 1)
    assert {each.source_name: each.error for each in done.jobs} == {
        "sport-a": None,
        "sport-b": "the job is paused: only a scheduled one can be paused; you can resume or cancel it",
        "sport-c": None,
    }
    assert await states(operator) == dict.fromkeys(("sport-a", "sport-b", "sport-c"), "paused") | {
        "news_a": "scheduled"
    }


async def test_a_dry_run_says_the_same_and_changes_nothing(operator, many):
    before = await states(operator)
    tried = await do_to(operator, JobVerb.CANCEL, everything=True, dry_run=True)
    assert await states(operator) == before

    done = await do_to(operator, JobVerb.CANCEL, everything=True)

    assert replace(tried, dry_run=False) == done
    assert set((await states(operator)).values()) == {"cancelled"}


@pytest.mark.parametrize(
    ("selected", "names"),
    [
        ({"source_pattern": "sport-*"}, {"sport-a", "sport-b", "sport-c"}),
        ({"source_pattern": "SPORT-?"}, {"sport-a", "sport-b", "sport-c"}),
        ({"source_pattern": "*_a"}, {"news_a"}),
        ({"source_pattern": "%"}, set()),
        ({"source_pattern": "sport_a"}, set()),
        ({"source_pattern": "*-a", "label": "sport"}, {"sport-a"}),
        ({"label": "sport", "statuses": (JobStatus.PAUSED,)}, {"sport-b"}),
        ({"everything": True}, {"sport-a", "sport-b", "sport-c", "news_a"}),
        ({"named": ("news_a", "sport-a")}, {"news_a", "sport-a"}),
    ],
)
async def test_jobs_are_selected_by_name_label_pattern_and_state(operator, many, selected, names):
    if not names:
        with pytest.raises(NotFound, match="no job matches"):
            await do_to(operator, JobVerb.EDIT, JobChanges(priority=9), **selected)
        return
    done = await do_to(operator, JobVerb.EDIT, JobChanges(priority=9), **selected)

    assert {each.source_name for each in done.jobs} == names
    assert await operator.run(lambda db: count_selected(db, JobSelection(**selected))) == len(names)
    found = await operator.run(lambda db: list_jobs(db, JobFilter(), PageRequest()))
    assert {each.source_name for each in found.items if each.job.priority == 9} == names


async def test_an_unknown_name_among_others_is_reported(operator, many):
    done = await do_to(operator, JobVerb.PAUSE, named=("nobody", "news_a"))

    assert (done.changed, done.refused) == (1, 1)
    assert done.jobs[0].number is None
    assert done.jobs[0].error.startswith("there is no such job")


@pytest.mark.parametrize(
    ("selected", "sentence"),
    [
        ({}, "say which jobs"),
        ({"named": ("a",), "label": "b"}, "not both"),
        ({"named": ("a",), "everything": True}, "not both"),
        ({"everything": True, "label": "b"}, "--all is every job"),
    ],
)
async def test_a_selection_that_names_nothing_or_contradicts_itself_is_refused(selected, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        JobSelection(**selected).checked()
