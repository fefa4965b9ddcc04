"""How long a run may take, which runs are kept, and the figures of a job."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.jobs import make_run
from tests.support.sources import NOON

from outrider.jobs.job_stats import JobStats, job_stats
from outrider.jobs.pruning import to_prune
from outrider.jobs.run_error import LONGEST_STACK_TRACE, RunError
from outrider.jobs.timeouts import EXECUTION_TIMEOUT, timeout_error
from outrider.runs.model import RunStatus

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
COMPLETED, FAILED = RunStatus.COMPLETED, RunStatus.FAILED


def test_an_error_is_kept_with_the_end_of_its_stack_trace():
    """JOB-23."""
    error = RunError("ValueError: x" + "y" * 1000, "a" * LONGEST_STACK_TRACE + "the last line").bounded()

    assert (len(error.message), error.message[:13]) == (500, "ValueError: x")
    assert error.stack_trace is not None
    assert len(error.stack_trace) == LONGEST_STACK_TRACE
    assert error.stack_trace.endswith("the last line")


def test_a_run_never_lasts_less_than_nothing():
    assert make_run(completed_at=NOON - MINUTE).duration == timedelta()
    assert make_run().duration is None


@pytest.mark.parametrize(("minutes", "is_over"), [(60, False), (60.1, True)])
def test_a_run_may_take_an_hour(minutes, is_over):
    """JOB-19."""
    error = timeout_error(minutes * 60, EXECUTION_TIMEOUT.total_seconds())

    assert (error is not None) is is_over
    assert error is None or error.message == "the run took longer than 60 minutes and was cancelled"


def finished(number: int, age: timedelta = timedelta()) -> object:
    return make_run(number, COMPLETED, started_at=NOON - age - MINUTE, completed_at=NOON - age)


def test_the_hundred_newest_of_the_last_thirty_days_are_kept():
    """JOB-17, CON-17."""
    young = [finished(number) for number in range(1, 151)]
    old = [finished(1, 31 * DAY), finished(2, 30.5 * DAY), finished(3, 30 * DAY), finished(4)]

    assert [each.execution_number for each in to_prune(young, NOON)] == list(range(50, 0, -1))
    assert [each.execution_number for each in to_prune(old, NOON)] == [2, 1]


def test_the_newest_execution_is_kept_however_old_it_is():
    assert to_prune([finished(7, 400 * DAY)], NOON) == []


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=130))
def test_either_limit_is_enough_to_be_pruned_and_running_ones_stay(ages):
    executions = [
        make_run(number, RunStatus.RUNNING if is_open else COMPLETED, started_at=NOON - age * DAY)
        for number, (age, is_open) in enumerate(ages, start=1)
    ]
    pruned = {each.execution_number for each in to_prune(executions, NOON)}

    for number, (age, is_open) in enumerate(ages, start=1):
        place = len(ages) - number
        assert (number in pruned) == (place > 0 and not is_open and (place >= 100 or age > 30))


def test_the_figures_of_a_job():
    """JOB-18."""
    executions = [
        make_run(1, COMPLETED, completed_at=NOON + 2 * MINUTE),
        make_run(2, COMPLETED, completed_at=NOON + 4 * MINUTE),
        make_run(3, FAILED, completed_at=NOON + 60 * MINUTE),
        make_run(4, RunStatus.CANCELLED, completed_at=NOON),
        make_run(5, started_at=NOON + DAY),
    ]

    assert job_stats(executions, NOON + 2 * DAY) == JobStats(
        total_executions=5,
        successful_runs=2,
        failed_runs=1,
        cancelled_runs=1,
        average_duration=3 * MINUTE,
        last_execution_at=NOON + DAY,
        next_scheduled_at=NOON + 2 * DAY,
        success_rate=2 / 3,
    )


def test_a_job_that_never_ran_has_no_rate():
    assert job_stats([], None) == JobStats(0, 0, 0, 0, None, None, None, None)
