"""The lock of a running job: who holds it, when it is stale, and who may take it over."""

from datetime import timedelta

import pytest
from tests.support.jobs import OTHER_TOKEN, TOKEN, job_in, make_job
from tests.support.sources import NOON

from outrider.errors import Conflict, LockLost
from outrider.jobs import locks
from outrider.jobs.model import JobStatus
from outrider.jobs.transitions import cancel

MINUTE = timedelta(minutes=1)
RUNNING = job_in(JobStatus.RUNNING)


@pytest.mark.parametrize(("minutes", "stale"), [(0, False), (5, False), (5.01, True)])
def test_a_lock_is_stale_after_five_minutes(minutes, stale):
    assert locks.is_stale(RUNNING, NOON + minutes * MINUTE) is stale


def test_a_job_without_a_lock_has_no_stale_one():
    assert not locks.is_stale(make_job(), NOON + 60 * MINUTE)


def test_a_renewed_lock_is_not_stale():
    renewed = locks.renew(RUNNING, TOKEN, NOON + 4 * MINUTE)

    assert not locks.is_stale(renewed, NOON + 8 * MINUTE)
    with pytest.raises(LockLost):
        locks.renew(RUNNING, OTHER_TOKEN, NOON)


def test_a_run_is_taken_over_when_its_lock_is_stale_and_goes_on():
    with pytest.raises(Conflict, match="is alive"):
        locks.take_over(RUNNING, OTHER_TOKEN, NOON + 5 * MINUTE)

    taken = locks.take_over(RUNNING, OTHER_TOKEN, NOON + 6 * MINUTE)
    assert (taken.status, taken.started_at, taken.runs) == (JobStatus.RUNNING, NOON, 1)
    with pytest.raises(LockLost):
        locks.check_holder(taken, TOKEN)


def test_the_run_of_a_cancelled_job_is_taken_over_as_well():
    cancelled = cancel(RUNNING, NOON)

    assert locks.take_over(cancelled, OTHER_TOKEN, NOON + 6 * MINUTE).status is JobStatus.CANCELLED


def test_a_job_that_does_not_run_cannot_be_taken_over():
    with pytest.raises(Conflict, match="the job is scheduled and no scheduler holds its lock"):
        locks.take_over(make_job(), TOKEN, NOON + 60 * MINUTE)
