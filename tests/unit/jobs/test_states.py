"""From which state a job may go to which: the whole table, and that nothing else is possible."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.jobs import job_in

from outrider.errors import Conflict
from outrider.jobs.model import JobStatus
from outrider.jobs.states import JobAction, actions_in, check_action, is_terminal, transition

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


# JOB-05, as it is written there.
VALID = {
    "pause": "scheduled",
    "resume": "paused",
    "cancel": "scheduled running paused pending",
    "retry": "failed",
    "force-run": "scheduled",
}


@pytest.mark.parametrize("status", JobStatus)
@pytest.mark.parametrize("action", JobAction)
def test_an_action_is_refused_in_a_wrong_state_by_a_sentence_that_names_it(action, status):
    if status.value in VALID[action.value].split():
        check_action(action, status)
        assert action in actions_in(status)
    else:
        with pytest.raises(Conflict, match=f"^the job is {status.value}: only a "):
            check_action(action, status)
        assert action not in actions_in(status)


@pytest.mark.parametrize(
    ("action", "status", "sentence"),
    [
        (
            JobAction.RESUME,
            JobStatus.SCHEDULED,
            "the job is scheduled: only a paused one can be resumed; you can pause, cancel or force-run it",
        ),
        (
            JobAction.PAUSE,
            JobStatus.RUNNING,
            "the job is running: only a scheduled one can be paused; you can cancel it",
        ),
        (
            JobAction.CANCEL,
            JobStatus.CANCELLED,
            "the job is cancelled: only a scheduled, running, paused or pending one can be cancelled; "
            "it has ended, so add a new job",
        ),
    ],
)
def test_the_sentence_says_what_can_be_done_instead(action, status, sentence):
    with pytest.raises(Conflict) as refused:
        check_action(action, status)

    assert str(refused.value) == sentence


def test_a_job_has_ended_when_it_is_cancelled_or_failed_or_ran_once():
    """JOB-04."""
    ended = {status for status in JobStatus if is_terminal(job_in(status))}

    assert ended == {JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED}
    assert not is_terminal(job_in(JobStatus.COMPLETED, every=job_in(JobStatus.SCHEDULED).every))
