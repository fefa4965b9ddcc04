"""Use cases of jobs: find, list, show and add them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.support.scheduling import complete_run, fail_run, make_due, scheduler, start_runs, watch

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.jobs.filter import JobFilter, JobSort
from outrider.jobs.model import Interval, JobStatus, Unit
from outrider.jobs.options import JobOptions
from outrider.jobs.slot_times import slot_of, start_of
from outrider.services.as_json import as_json
from outrider.services.jobs.changes import JobVerb, change_job, command_for
from outrider.services.jobs.history import job_history, stats_of_job
from outrider.services.jobs.jobs import JobRequest, add_job, find_job, list_jobs, read_statuses, show_job
from outrider.services.paging import PageRequest
from outrider.watch.source_service import SourceService

OPTIONS = JobOptions()


@pytest.fixture
async def blatt(operator):
    """A source with its managed job."""
    return await watch(operator, "blatt", labels="news, berlin")


async def listed(operator, page=None, source="", **wanted):
    page = page or PageRequest()
    return await operator.run(lambda db: list_jobs(db, JobFilter(**wanted), page, source))


async def names(operator, **wanted):
    return [each.source_name for each in (await listed(operator, **wanted)).items]


async def show(operator, named):
    return await operator.run(lambda db: show_job(db, named))


async def add(operator, source="blatt", every=None, options=OPTIONS, **values):
    request = JobRequest(source, every, **values)
    return await operator.run(lambda db: add_job(db, request, options))


async def do(operator, verb, named, changes=None):
    command = command_for(verb, OPTIONS, changes)
    return await operator.run(lambda db: change_job(db, named, command))


async def test_a_job_is_listed_as_it_is_shown(operator, blatt):
    found = await listed(operator)
    shown = await show(operator, "blatt")

    assert (found.items, found.total) == ([shown.details], 1)
    document = as_json(shown)
    assert list(document)[:3] == ["id", "number", "source_name"]
    assert (document["interval_minutes"], document["interval_type"]) == (38, "minutes")
    assert (document["labels"], document["url"]) == (["news", "berlin"], "https://blatt.test/")
    assert (document["last_runs"], document["stats"]["total_executions"]) == ([], 0)


async def test_a_job_is_named_by_its_number_its_id_or_its_source(operator, blatt):
    other = await watch(operator, "other")
    managed = (await show(operator, "other")).details.job
    extra = (await add(operator, "other")).job

    for named in (
        "other",
        str(managed.job_id),
        str(managed.public_id),
        "https://other.test/",
        str(other.public_id),
    ):
        assert (await operator.run(lambda db, named=named: find_job(db, named))).job.job_id == managed.job_id
    assert (await operator.run(lambda db: find_job(db, str(extra.job_id)))).job == extra


async def test_a_number_is_never_that_of_a_source(operator, blatt):
    assert (await show(operator, "blatt")).details.job.job_id != blatt.source_id
    with pytest.raises(NotFound, match="there is no job of that number"):
        await show(operator, str(blatt.source_id))


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ("nobody", "there is no such job: no source is called 'nobody'"),
        ("99", "there is no job of that number: `outrider job list` shows them"),
        ("99999999999999999999999", "there is no job of that number"),
        ("00000000-0000-0000-0000-000000000000", "there is no such job: no source is called"),
        ("b'); DROP TABLE job; --", "there is no such job: no source is called"),
    ],
)
async def test_an_unknown_job_is_one_sentence(operator, blatt, named, sentence):
    with pytest.raises(NotFound) as refused:
        await show(operator, named)

    assert str(refused.value).startswith(sentence)


async def test_a_list_is_narrowed_by_state_source_text_and_label(operator, blatt):
    await watch(operator, "sport", labels="sport")
    await do(operator, JobVerb.PAUSE, "sport")

    assert await names(operator) == ["blatt", "sport"]
    assert await names(operator, statuses=read_statuses("paused, failed")) == ["sport"]
    assert await names(operator, statuses=read_statuses("paused,scheduled")) == ["blatt", "sport"]
    assert await names(operator, search="BLATT.t") == ["blatt"]
    assert await names(operator, label="berlin") == ["blatt"]
    assert await names(operator, label="berl") == []
    assert [each.source_name for each in (await listed(operator, source="sport")).items] == ["sport"]
    with pytest.raises(InvalidInput, match="there is no status 'stopped', only pending, scheduled"):
        read_statuses("paused,stopped")


@pytest.mark.parametrize("sort", JobSort)
async def test_a_list_is_sorted_in_both_directions(operator, blatt, sort):
    await watch(operator, "sport")
    await do(operator, JobVerb.PAUSE, "sport")
    extra = await add(operator, every=Interval(1, Unit.DAYS))
    for job in (await show(operator, "blatt")).details.job, extra.job:
        await complete_run(operator, job.job_id)
    fields = {
        JobSort.SOURCE_NAME: lambda each: each.source_name,
        JobSort.LAST_RUN_AT: lambda each: each.job.started_at,
    }
    value = fields.get(sort, lambda each: getattr(each.job, sort.value))

    upwards = [value(each) for each in (await listed(operator, sort=sort)).items]
    downwards = [value(each) for each in (await listed(operator, sort=sort, descending=True)).items]

    known = [each for each in upwards if each is not None]
    assert len(upwards) == 3
    assert known == sorted(known)
    assert [each for each in downwards if each is not None] == sorted(known, reverse=True)
    assert upwards[len(known) :] == downwards[len(known) :] == [None] * (3 - len(known)), (
        "unknown ones are last"
    )


async def test_a_list_has_50_jobs_and_at_most_250(operator, blatt):
    for _ in range(51):
        await add(operator)

    found = await listed(operator)
    rest = await listed(operator, PageRequest(offset=50))
    assert (len(found.items), found.total, len(rest.items)) == (50, 52, 2)
    assert not {each.job.job_id for each in found.items} & {each.job.job_id for each in rest.items}
    beyond = await listed(operator, PageRequest(offset=1000))
    assert (beyond.items, beyond.total) == ([], 52)
    with pytest.raises(InvalidInput, match="limit is a number from 1 to 250, not 251"):
        await listed(operator, PageRequest(251))


async def test_a_job_without_an_interval_runs_once_and_now(operator, blatt):
    made = await add(operator)

    assert (made.job.status, made.job.every, made.job.auto_managed) == (JobStatus.PENDING, None, False)
    assert await scheduler(operator).start_due(asked_for=True) == 1


async def test_an_interval_keeps_its_unit(operator, blatt):
    hours = await add(operator, every=Interval(6, Unit.HOURS), max_retries=0, priority=99)
    minutes = await add(operator, every=Interval(360, Unit.MINUTES))

    assert [as_json(each)["interval_type"] for each in (hours, minutes)] == ["hours", "minutes"]
    assert [as_json(each)["interval_minutes"] for each in (hours, minutes)] == [6, 360]
    assert hours.job.interval == minutes.job.interval == timedelta(hours=6)
    assert (hours.job.max_retries, hours.job.priority, minutes.job.max_retries) == (0, 99, 3)


async def test_new_jobs_get_different_slots_while_some_are_free(operator, blatt):
    made = [await add(operator, every=Interval(1, Unit.DAYS)) for _ in range(5)]

    times = [each.job.next_run_at for each in made]
    assert [start_of(slot_of(at)) for at in times] == times
    assert len({slot_of(at) for at in times}) == 5


async def test_without_load_balancing_a_new_job_starts_its_rhythm_now(operator, blatt):
    off = replace(OPTIONS, balancing=False)
    made = [(await add(operator, every=Interval(1, Unit.DAYS), options=off)).job for _ in range(2)]

    assert [job.next_run_at for job in made] == [job.created_at for job in made]


async def test_a_job_cannot_be_added_to_a_source_that_is_gone_or_disabled(operator, blatt):
    await operator.run(lambda db: SourceService(operator.store).disable(db, blatt, "sold"))
    with pytest.raises(Conflict, match="'blatt' is disabled: `outrider source enable` first"):
        await add(operator)

    source = await watch(operator, "sport")
    await operator.run(lambda db: SourceService(operator.store).remove(db, source))
    with pytest.raises(NotFound, match="no source is called 'sport'"):
        await add(operator, "sport")


@pytest.mark.parametrize(
    "values", [{"priority": 101}, {"priority": -1}, {"max_retries": 101}, {"max_retries": -1}]
)
async def test_a_number_out_of_range_is_refused(operator, blatt, values):
    with pytest.raises(InvalidInput, match=r"a number from 0 to 100|from 0 to 100"):
        await add(operator, **values)


async def test_the_history_and_the_figures_of_a_job_come_from_its_runs(operator, blatt):
    job_id = (await add(operator, every=Interval(6, Unit.HOURS))).job.job_id
    await complete_run(operator, job_id)
    await fail_run(operator, job_id)
    await complete_run(operator, job_id)

    history = await operator.run(lambda db: job_history(db, str(job_id), PageRequest(2)))
    older = await operator.run(lambda db: job_history(db, str(job_id), PageRequest(2, 2)))
    stats = await operator.run(lambda db: stats_of_job(db, str(job_id)))
    shown = await show(operator, str(job_id))

    assert [(run.execution_number, run.status.value) for run in history.items] == [
        (3, "completed"),
        (2, "failed"),
    ]
    assert ([run.execution_number for run in older.items], older.total) == ([1], 3)
    assert history.items[1].error_message == "RuntimeError: the disk is full"
    assert [run.retry_attempt for run in history.items] == [1, 0]
    assert (stats.total_executions, stats.successful_runs, stats.failed_runs) == (3, 2, 1)
    assert stats.success_rate == pytest.approx(2 / 3)
    assert stats.last_execution_at == history.items[0].started_at
    assert stats.next_scheduled_at == shown.details.job.next_run_at
    assert (shown.stats, [run.execution_number for run in shown.last_runs]) == (stats, [3, 2, 1])


async def test_a_job_says_why_its_interval_is_longer(operator, blatt):
    job_id = (await add(operator, every=Interval(30, Unit.MINUTES))).job.job_id
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO adaptive_state "
            "(source_id, last_hash, last_change_at, unchanged_count, current_interval) "
            "VALUES ($1, 'same', now(), 3, interval '4 hours')",
            blatt.source_id,
        )
    )

    shown = as_json(await show(operator, str(job_id)))
    fixed = as_json(await add(operator, every=Interval(30, Unit.MINUTES), adaptive=False))

    assert shown["adaptive_reason"] == "unchanged 3 times: every 4 h instead of 30 min"
    assert (shown["unchanged_count"], shown["current_interval_s"]) == (3, 4 * 3600)
    assert (fixed["adaptive_reason"], fixed["current_interval_s"]) == (None, 1800)


async def test_a_job_that_is_due_is_listed_first(operator, blatt):
    await watch(operator, "sport")
    await make_due(operator, (await show(operator, "sport")).details.job.job_id)

    assert await names(operator) == ["sport", "blatt"]


async def test_a_run_that_goes_on_shows_its_counts_of_this_moment(operator, blatt):
    job_id = (await add(operator, every=Interval(6, Unit.HOURS))).job.job_id
    await start_runs(operator, job_id)
    [run] = (await show(operator, str(job_id))).last_runs
    counts = {(run.number, "pages"): 7, (run.number, "indexed"): 3, (run.number, "added"): 9}
    await operator.run(lambda db: operator.store.add_run_counts(db, counts))

    [now] = (await show(operator, str(job_id))).last_runs

    assert (run.status.value, run.items_crawled) == ("running", 0)
    assert (now.items_crawled, now.items_indexed, now.duration_ms) == (7, 3, None)
