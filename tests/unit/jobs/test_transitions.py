"""What each action changes in a job, field by field."""

from datetime import timedelta

import pytest
from tests.support.jobs import OTHER_TOKEN, TOKEN, changed_fields, job_in, make_job
from tests.support.sources import NOON

from outrider.errors import Conflict, LockLost
from outrider.jobs import transitions
from outrider.jobs.model import Interval, JobStatus, PausedBy, Unit
from outrider.jobs.run_error import RunError
from outrider.jobs.schedule import LONGEST_BACKOFF
from outrider.jobs.transitions import FirstSchedule, RunResult
from outrider.runs.model import RunStatus

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LATER = NOON + 20 * MINUTE


def test_a_one_time_job_is_due_at_once():
    """JOB-06, SCH-03."""
    first = transitions.first_schedule(None, placed=LATER, now=NOON)

    assert first == FirstSchedule(JobStatus.PENDING, NOON, slot_at=None, placed_at=None)
    new = make_job(first.status, every=None, next_run_at=first.next_run_at, slot_at=first.slot_at)
    assert transitions.is_due(new, NOON)


def test_a_recurring_job_first_runs_in_its_slot():
    first = transitions.first_schedule(Interval(1, Unit.HOURS), placed=LATER, now=NOON)

    assert first == FirstSchedule(JobStatus.SCHEDULED, LATER, slot_at=LATER, placed_at=NOON)


def test_a_pause_clears_the_next_run_and_says_when_and_by_whom():
    """JOB-10."""
    before = make_job()
    after = transitions.pause(before, PausedBy.OPERATOR, LATER)

    assert changed_fields(before, after) == {
        "status": JobStatus.PAUSED,
        "paused_at": LATER,
        "paused_by": PausedBy.OPERATOR,
        "next_run_at": None,
        "slot_at": None,
    }
    assert after.is_paused


def test_a_resumed_job_runs_where_it_was_placed():
    """JOB-10."""
    before = job_in(JobStatus.PAUSED, slot_at=None, current_retry_count=2, backoff_until=NOON)
    after = transitions.resume(before, placed=LATER, now=NOON)

    assert changed_fields(before, after) == {
        "status": JobStatus.SCHEDULED,
        "paused_at": None,
        "paused_by": None,
        "next_run_at": LATER,
        "slot_at": LATER,
        "placed_at": NOON,
        "current_retry_count": 0,
        "backoff_until": None,
    }


@pytest.mark.parametrize("status", [JobStatus.SCHEDULED, JobStatus.PAUSED, JobStatus.PENDING])
def test_a_cancelled_job_has_no_next_run(status):
    after = transitions.cancel(job_in(status), LATER)

    assert (after.status, after.cancelled_at) == (JobStatus.CANCELLED, LATER)
    assert (after.next_run_at, after.slot_at, after.paused_at, after.paused_by) == (None,) * 4
    assert not transitions.is_due(after, LATER + 24 * HOUR)


def test_a_running_job_that_is_cancelled_keeps_its_lock_until_its_run_has_stopped():
    """JOB-11."""
    cancelled = transitions.cancel(job_in(JobStatus.RUNNING), NOON)
    assert cancelled.lock_token == TOKEN

    ended = transitions.finish(cancelled, TOKEN, RunResult.COMPLETED, LATER)
    assert ended.execution is RunStatus.CANCELLED
    assert ended.job.status is JobStatus.CANCELLED
    assert (ended.job.lock_token, ended.job.next_run_at) == (None, None)


def test_a_manual_retry_runs_now_with_all_retries_and_without_the_error():
    """JOB-12."""
    before = job_in(JobStatus.FAILED, error_message="no answer")
    after = transitions.retry(before, LATER)

    assert changed_fields(before, after) == {
        "status": JobStatus.PENDING,
        "next_run_at": LATER,
        "current_retry_count": 0,
        "failure_count": 0,
        "error_message": None,
    }
    assert transitions.is_due(after, LATER)


def test_a_forced_run_is_due_at_once_and_later_runs_keep_the_rhythm():
    """JOB-13."""
    evening = NOON + 6 * HOUR
    before = make_job(next_run_at=evening, slot_at=evening)
    forced = transitions.force_run(before, LATER)
    assert (forced.status, forced.next_run_at) == (JobStatus.PENDING, LATER)

    ended = _run(forced, LATER, took=5 * MINUTE).job
    assert (ended.status, ended.next_run_at) == (JobStatus.SCHEDULED, evening)


def test_a_forced_run_that_lasts_beyond_the_slot_skips_it():
    evening = NOON + 6 * HOUR
    forced = transitions.force_run(make_job(next_run_at=evening, slot_at=evening), evening - 5 * MINUTE)

    assert _run(forced, evening - 5 * MINUTE, took=10 * MINUTE).job.next_run_at == evening + 6 * HOUR


def test_a_success_resets_the_retries_and_schedules_the_next_run():
    """SCH-07."""
    failing = make_job(current_retry_count=2, failure_count=2, error_message="no answer", backoff_until=NOON)
    ended = _run(failing, NOON + 9 * MINUTE, took=MINUTE)

    assert ended.execution is RunStatus.COMPLETED
    assert (ended.job.status, ended.job.next_run_at) == (JobStatus.SCHEDULED, NOON + 6 * HOUR)
    assert (ended.job.current_retry_count, ended.job.failure_count) == (0, 0)
    assert (ended.job.error_message, ended.job.backoff_until) == (None, None)
    assert (ended.job.runs, ended.job.lock_token, ended.job.lock_acquired_at) == (1, None, None)
    assert (ended.job.started_at, ended.job.completed_at) == (NOON + 9 * MINUTE, NOON + 10 * MINUTE)


def test_a_one_time_job_that_succeeded_has_ended():
    once = make_job(JobStatus.PENDING, every=None, slot_at=None)
    ended = _run(once, NOON)

    assert (ended.job.status, ended.job.next_run_at) == (JobStatus.COMPLETED, None)


@pytest.mark.parametrize("every", [None, Interval(6, Unit.HOURS)], ids=["one-time", "recurring"])
def test_a_failing_job_is_run_four_times_with_growing_waits_and_then_fails(every):
    """SCH-08, CON-16."""
    job, at = make_job(every=every, slot_at=None if every is None else NOON), NOON
    waits = []
    while job.status is not JobStatus.FAILED:
        ended = _run(job, at, RunResult.FAILED)
        assert ended.execution is RunStatus.FAILED
        job = ended.job
        if job.next_run_at is not None:
            waits.append((job.next_run_at - at).total_seconds())
            at = job.next_run_at

    assert waits == [60, 120, 240]
    assert (job.runs, job.failure_count, job.current_retry_count) == (4, 4, 3)
    assert (job.next_run_at, job.last_failure_at, job.error_message) == (None, at, "no answer")


def test_a_retry_that_succeeds_returns_to_the_rhythm():
    failed = _run(make_job(), NOON, RunResult.FAILED).job
    assert failed.next_run_at == NOON + MINUTE

    ended = _run(failed, NOON + MINUTE, took=MINUTE)
    assert ended.job.next_run_at == NOON + 6 * HOUR


def test_the_managed_job_of_a_source_never_waits_for_an_operator():
    """SRC-11."""
    job, at, waits = make_job(auto_managed=True, every=Interval(1, Unit.HOURS)), NOON, []
    for _ in range(12):
        job = _run(job, at, RunResult.FAILED).job
        assert job.status is JobStatus.SCHEDULED
        waits.append(job.next_run_at - at)
        at = job.next_run_at

    assert waits[:3] == [MINUTE, 2 * MINUTE, 4 * MINUTE]
    assert waits[3:7] == [2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]
    assert waits[7:] == [LONGEST_BACKOFF] * 5


def test_a_run_that_took_too_long_is_cancelled_and_tried_again():
    """JOB-19."""
    ended = _run(make_job(), NOON, RunResult.TIMED_OUT, took=HOUR)

    assert ended.execution is RunStatus.CANCELLED
    assert (ended.job.status, ended.job.current_retry_count) == (JobStatus.SCHEDULED, 1)
    assert ended.job.next_run_at == NOON + HOUR + MINUTE


def test_a_cancelled_run_is_no_failure_and_a_recurring_job_goes_on():
    ended = _run(make_job(), NOON, RunResult.CANCELLED, took=MINUTE)

    assert ended.execution is RunStatus.CANCELLED
    assert (ended.job.status, ended.job.next_run_at) == (JobStatus.SCHEDULED, NOON + 6 * HOUR)
    assert (ended.job.failure_count, ended.job.cancelled_at) == (0, None)


def test_a_cancelled_run_ends_a_one_time_job():
    ended = _run(make_job(JobStatus.PENDING, every=None, slot_at=None), NOON, RunResult.CANCELLED)

    assert (ended.job.status, ended.job.cancelled_at) == (JobStatus.CANCELLED, NOON)


def test_an_error_is_recorded_and_bounded():
    """JOB-23."""
    running = transitions.start(make_job(), TOKEN, NOON)
    ended = transitions.finish(running, TOKEN, RunResult.FAILED, NOON, error=RunError("x" * 10_000))

    assert ended.job.error_message == "x" * 500
    assert transitions.finish(running, TOKEN, RunResult.FAILED, NOON).job.error_message == "the run failed"


def test_a_late_finisher_changes_nothing():
    """SCH-12."""
    running = transitions.start(make_job(), TOKEN, NOON)

    with pytest.raises(LockLost, match="another scheduler holds the lock"):
        transitions.finish(running, OTHER_TOKEN, RunResult.COMPLETED, NOON)


def test_a_job_starts_once():
    running = transitions.start(make_job(), TOKEN, NOON)
    assert (running.status, running.lock_token) == (JobStatus.RUNNING, TOKEN)
    assert (running.lock_acquired_at, running.started_at) == (NOON, NOON)
    assert running.next_run_at == NOON + 6 * HOUR

    with pytest.raises(Conflict, match="the job is running and not due"):
        transitions.start(running, OTHER_TOKEN, NOON)


@pytest.mark.parametrize(
    ("job", "due"),
    [
        pytest.param(make_job(), True, id="at its time"),
        pytest.param(make_job(next_run_at=NOON + MINUTE), False, id="not before"),
        pytest.param(make_job(JobStatus.PENDING), True, id="pending"),
        pytest.param(job_in(JobStatus.RUNNING), False, id="running"),
        pytest.param(job_in(JobStatus.PAUSED), False, id="paused"),
        pytest.param(job_in(JobStatus.FAILED), False, id="failed"),
        pytest.param(job_in(JobStatus.CANCELLED), False, id="cancelled"),
        pytest.param(make_job(lock_token=TOKEN, lock_acquired_at=NOON), False, id="locked"),
    ],
)
def test_which_jobs_are_due(job, due):
    """SCH-02."""
    assert transitions.is_due(job, NOON) is due


def test_a_changed_interval_moves_a_scheduled_job():
    """JOB-22."""
    after = transitions.change_interval(make_job(), Interval(1, Unit.HOURS), placed=LATER, now=NOON)

    assert (str(after.every), after.next_run_at, after.slot_at) == ("1 hour", LATER, LATER)
    assert after.placed_at == NOON


def test_a_changed_interval_does_not_shorten_the_wait_for_a_retry():
    failed = _run(make_job(), NOON, RunResult.FAILED).job
    after = transitions.change_interval(failed, Interval(1, Unit.HOURS), placed=LATER, now=NOON)

    assert (after.next_run_at, after.slot_at) == (NOON + MINUTE, LATER)
    assert _run(after, NOON + MINUTE).job.next_run_at == LATER


def test_a_changed_interval_counts_after_the_run_that_goes_on():
    changed = transitions.change_interval(job_in(JobStatus.RUNNING), Interval(1, Unit.HOURS), LATER, NOON)
    assert changed.status is JobStatus.RUNNING

    ended = transitions.finish(changed, TOKEN, RunResult.COMPLETED, NOON + MINUTE)
    assert ended.job.next_run_at == LATER


def test_a_changed_interval_leaves_a_paused_job_paused():
    before = job_in(JobStatus.PAUSED, slot_at=None)
    after = transitions.change_interval(before, Interval(1, Unit.HOURS), LATER, NOON)

    assert changed_fields(before, after) == {"every": Interval(1, Unit.HOURS)}


def test_a_one_time_job_that_has_run_is_scheduled_when_it_gets_an_interval():
    """JOB-03: completed to scheduled."""
    after = transitions.change_interval(job_in(JobStatus.COMPLETED), Interval(1, Unit.HOURS), LATER, NOON)

    assert (after.status, after.next_run_at, after.slot_at) == (JobStatus.SCHEDULED, LATER, LATER)


def test_a_job_that_loses_its_interval_runs_once_more():
    once = transitions.change_interval(make_job(), None, LATER, NOON)
    assert (once.status, once.next_run_at) == (JobStatus.SCHEDULED, NOON)

    assert _run(once, NOON).job.status is JobStatus.COMPLETED


def test_a_move_changes_the_slot_of_a_scheduled_job_and_of_no_other():
    moved = transitions.move(make_job(), LATER, NOON)
    assert (moved.next_run_at, moved.slot_at, moved.placed_at) == (LATER, LATER, NOON)

    failed = _run(make_job(), NOON, RunResult.FAILED).job
    assert transitions.move(failed, LATER, NOON).next_run_at == NOON + MINUTE
    with pytest.raises(Conflict, match="the job is running: only a scheduled one can be moved"):
        transitions.move(job_in(JobStatus.RUNNING), LATER, NOON)


def test_a_job_is_not_deleted_while_its_run_goes_on():
    """JOB-21."""
    running = job_in(JobStatus.RUNNING)
    with pytest.raises(Conflict, match="the job is running and its run goes on: cancel it first"):
        transitions.check_delete(running)
    with pytest.raises(Conflict, match="the job is cancelled and its run goes on: wait until"):
        transitions.check_delete(transitions.cancel(running, NOON))
    transitions.check_delete(make_job())


def _run(job, at, result=RunResult.COMPLETED, took=timedelta(0)):
    running = transitions.start(job, TOKEN, at)
    error = RunError("no answer") if result in (RunResult.FAILED, RunResult.TIMED_OUT) else None
    return transitions.finish(running, TOKEN, result, at + took, error=error)
