"""From which state a job may go to which: the whole table, and that nothing else is possible."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import Conflict
from outrider.jobs.model import JobStatus
from outrider.jobs.states import transition

# JOB-03, as it is written there.
ALLOWED = {
    "pending": "scheduled running cancelled",
    "scheduled": "running paused cancelled pending",
    "running": "completed failed scheduled cancelled",
    "completed": "scheduled",
    "failed": "pending",
    "paused": "scheduled cancelled",
    "cancelled": "",
}


@pytest.mark.parametrize("was", JobStatus)
@pytest.mark.parametrize("to", JobStatus)
def test_a_job_goes_only_where_it_may(was, to):
    if to.value in ALLOWED[was.value].split():
        assert transition(was, to) is to
    else:
        why = "already" if to is was else f"it cannot become {to.value}"
        with pytest.raises(Conflict, match=f"the job is {was.value}:? {why}"):
            transition(was, to)


@given(st.lists(st.sampled_from(list(JobStatus)), max_size=40))
def test_whatever_is_tried_a_cancelled_job_stays_cancelled_and_a_paused_one_never_runs_by_itself(tries):
    way = [JobStatus.PENDING]
    for to in tries:
        try:
            way.append(transition(way[-1], to))
        except Conflict:
            continue

    steps = list(pairwise(way))
    assert all(to.value in ALLOWED[was.value].split() for was, to in steps)
    assert JobStatus.CANCELLED not in way[:-1]
    assert (JobStatus.PAUSED, JobStatus.RUNNING) not in steps
