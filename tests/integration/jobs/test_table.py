"""What the table of jobs refuses, whoever writes to it, and the view that other programs read."""

import asyncpg
import pytest

from outrider.errors import Conflict, NotFound
from outrider.jobs.filter import JobFilter
from outrider.jobs.model import JobStatus
from outrider.jobs.operate import pause, resume
from outrider.jobs.slot_times import slot_of, start_of
from outrider.jobs.store import JobStore

WORDS = """
    id source_id source_name url status interval_minutes interval_type next_run_at schedule_enabled
    adaptive_scheduling is_paused paused_at cancelled_at lock_token lock_acquired_at max_retries
    retry_backoff_seconds current_retry_count error_message started_at completed_at metadata priority type
    auto_managed failure_count last_failure_at backoff_until created_at updated_at
"""  # JOB-01
# Each column has a value that no other column of its type has, nor its default.
DISTINCT = """
    UPDATE job
       SET next_run_at = now() + interval '1 hour', started_at = now() + interval '2 hours',
           completed_at = now() + interval '3 hours', last_failure_at = now() + interval '4 hours',
           backoff_until = now() + interval '5 hours', lock_acquired_at = now() + interval '6 hours',
           created_at = now() + interval '7 hours', lock_token = gen_random_uuid(),
           max_retries = 11, retry_backoff_seconds = 12, current_retry_count = 13, failure_count = 14,
           priority = 15, runs = 16, interval_count = 17, interval_type = 'days', error_message = 'no answer',
           metadata = '{"by": "cms"}', adaptive_scheduling = false
"""


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("interval_count = NULL", id="again and again, but how often"),
        pytest.param("interval_count = 0", id="every nothing"),
        pytest.param("interval_count = -5", id="every less than nothing"),
        pytest.param("schedule_enabled = false", id="once, but every hour"),
        pytest.param("interval_type = 'weeks'", id="a unit nobody knows"),
        pytest.param("next_run_at = NULL", id="scheduled for no time"),
        pytest.param("status = 'paused'", id="paused by nobody"),
        pytest.param(
            "status = 'paused', paused_at = now(), paused_by = 'operator'", id="paused, and yet to be run"
        ),
        pytest.param("paused_at = now()", id="paused while scheduled"),
        pytest.param("status = 'cancelled'", id="cancelled at no time"),
        pytest.param("lock_token = gen_random_uuid()", id="locked since never"),
        pytest.param("status = 'asleep'", id="a state nobody knows"),
        pytest.param("source_id = 999999", id="of no source"),
    ],
)
async def test_the_table_refuses(worker_context, change):
    await worker_context.watch()
    await worker_context.follow()

    with pytest.raises(asyncpg.PostgresError):
        await worker_context.execute(f"UPDATE job SET {change}")


async def test_a_source_has_one_job_that_looks_after_itself(worker_context):
    source = await worker_context.watch()
    await worker_context.follow()

    with pytest.raises(asyncpg.UniqueViolationError):
        await worker_context.execute(
            "INSERT INTO job (source_id, auto_managed) VALUES ($1, true)", source.source_id
        )
    await worker_context.execute(
        "INSERT INTO job (source_id) VALUES ($1), ($1)", source.source_id
    )  # of other jobs it may have many


async def test_a_one_time_job_has_no_interval(worker_context):
    source = await worker_context.watch()

    await worker_context.execute("INSERT INTO job (source_id) VALUES ($1)", source.source_id)

    job = await worker_context.job()
    assert (job.status, job.every, job.auto_managed) == (JobStatus.PENDING, None, False)


async def test_the_view_speaks_in_the_words_of_other_programs(worker_context):
    source = await worker_context.watch(priority="1", delay="6s", depth="2")
    await worker_context.follow()

    row = await worker_context.run(lambda db: db.fetchrow("SELECT * FROM jobs"))

    assert set(row.keys()) == set(WORDS.split())
    assert (row["source_id"], row["source_name"], row["url"]) == (source.public_id, source.name, source.url)
    assert (row["interval_minutes"], row["interval_type"]) == (3, "hours")
    assert (row["status"], row["is_paused"], row["adaptive_scheduling"]) == ("scheduled", False, True)
    assert (row["max_retries"], row["retry_backoff_seconds"], row["current_retry_count"]) == (3, 60, 0)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("status = 'scheduled'", id="scheduled"),
        pytest.param(
            "status = 'paused', paused_at = now() + interval '8 hours', paused_by = 'operator',"
            " next_run_at = NULL",
            id="paused",
        ),
        pytest.param("status = 'cancelled', cancelled_at = now() + interval '9 hours'", id="cancelled"),
    ],
)
async def test_each_word_of_the_view_is_the_column_of_the_job_that_it_names(worker_context, state):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.execute(DISTINCT)
    await worker_context.execute(f"UPDATE job SET {state}")

    job = dict(await worker_context.run(lambda db: db.fetchrow("SELECT * FROM job")))
    shown = dict(await worker_context.run(lambda db: db.fetchrow("SELECT * FROM jobs")))

    expected = {word: job[word] for word in WORDS.split() if word in job and word != "source_id"}
    expected |= {"id": job["public_id"], "interval_minutes": 17, "is_paused": job["status"] == "paused"}
    assert {word: shown[word] for word in expected} == expected
    assert set(shown) - set(expected) == {"source_id", "source_name", "url"}


async def test_actions_name_the_state_when_they_cannot(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    job_id = (await worker_context.job()).job_id

    with pytest.raises(Conflict, match="the job is scheduled: only a paused one can be resumed"):
        await worker_context.run(lambda db: resume(db, job_id))
    paused = await worker_context.run(lambda db: pause(db, job_id))
    assert (paused.next_run_at, paused.slot_at, paused.is_paused) == (None, None, True)
    with pytest.raises(Conflict, match="the job is paused: only a scheduled one can be paused"):
        await worker_context.run(lambda db: pause(db, job_id))
    resumed = await worker_context.run(lambda db: resume(db, job_id))
    assert (resumed.status, resumed.paused_at) == (JobStatus.SCHEDULED, None)
    assert resumed.next_run_at == resumed.slot_at == start_of(slot_of(resumed.slot_at)), "it has a slot"
    with pytest.raises(NotFound, match="there is no job 4711"):
        await worker_context.run(lambda db: pause(db, 4711))


async def test_jobs_are_listed_the_next_one_first_and_searched(worker_context):
    for name, priority in (("low", "1"), ("critical", "10"), ("normal", "5")):
        await worker_context.watch(name, priority=priority)
    await worker_context.follow()
    await worker_context.disable("low")
    await worker_context.follow()

    async def listed(**wanted):
        lines, total = await worker_context.run(lambda db: JobStore().page(db, JobFilter(**wanted)))
        return [line.source_name for line in lines], total

    assert await listed() == (["critical", "normal", "low"], 3)
    assert await listed(limit=1, offset=1) == (["normal"], 3)
    assert await listed(statuses=(JobStatus.PAUSED,)) == (["low"], 1)
    assert await listed(search="CRIT") == (["critical"], 1)
