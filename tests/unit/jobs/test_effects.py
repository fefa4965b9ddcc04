"""What must happen to a job, from the source and the job as they are: the whole table."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON, watched

from outrider.jobs.effects import Effect, decide
from outrider.jobs.model import Interval, Job, JobStatus, PausedBy
from outrider.jobs.schedule import plan_for
from outrider.sources.policy import Policy

DISABLED = {"enabled": False, "disabled_at": NOON, "disable_reason": "sold"}
BY_SOURCE, BY_ANYBODY = frozenset((PausedBy.SOURCE,)), frozenset(PausedBy)
PLAN = plan_for(watched())


def job(status: JobStatus = JobStatus.SCHEDULED, **changes: Any) -> Job:
    facts: dict[str, Any] = {
        "job_id": 1,
        "public_id": UUID(int=1),
        "source_id": 7,
        "status": status,
        "every": PLAN.every,
        "priority": PLAN.priority,
        "auto_managed": True,
        "next_run_at": NOON,
        "paused_at": None,
        "paused_by": None,
        "started_at": None,
        "completed_at": None,
        "runs": 0,
        "failure_count": 0,
        "last_failure_at": None,
        "backoff_until": None,
        "error_message": None,
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Job(**facts | changes)


def paused(by: PausedBy) -> Job:
    return job(JobStatus.PAUSED, paused_at=NOON, paused_by=by, next_run_at=None)


@pytest.mark.parametrize(
    ("source", "before", "effect"),
    [
        pytest.param(watched(), None, Effect.CREATE, id="an enabled source without a job gets one"),
        pytest.param(watched(), job(), Effect.NOTHING, id="a job that is as it should be is left alone"),
        pytest.param(
            watched(priority=9), job(), Effect.RESCHEDULE, id="a more urgent source runs more often"
        ),
        pytest.param(
            watched(policy=Policy(delay_s=30.0)),
            job(),
            Effect.RESCHEDULE,
            id="a slower source runs less often",
        ),
        pytest.param(
            watched(policy=Policy(max_depth=9)),
            job(),
            Effect.RESCHEDULE,
            id="a deeper source runs less often",
        ),
        pytest.param(
            watched(name="Other", labels=["a"], url="https://other.test/"),
            job(),
            Effect.NOTHING,
            id="a name, an address and labels change no schedule",
        ),
        pytest.param(watched(**DISABLED), None, Effect.NOTHING, id="a disabled source needs no job"),
        pytest.param(watched(**DISABLED), job(), Effect.PAUSE, id="a disabled source pauses its job"),
        pytest.param(watched(**DISABLED), paused(PausedBy.SOURCE), Effect.NOTHING, id="and does so once"),
        pytest.param(
            watched(**DISABLED), paused(PausedBy.OPERATOR), Effect.PAUSE, id="a paused one waits for it, too"
        ),
        pytest.param(
            watched(), paused(PausedBy.SOURCE), Effect.RESUME, id="an enabled source resumes its job"
        ),
        pytest.param(
            watched(), paused(PausedBy.OPERATOR), Effect.NOTHING, id="what a person paused stays paused"
        ),
        pytest.param(
            watched(priority=9),
            paused(PausedBy.OPERATOR),
            Effect.RESCHEDULE,
            id="though it learns how often it would run",
        ),
        pytest.param(
            watched(priority=9),
            job(JobStatus.RUNNING),
            Effect.RESCHEDULE,
            id="a running one learns that, too",
        ),
        pytest.param(watched(**DISABLED), job(JobStatus.RUNNING), Effect.NOTHING, id="and is not disturbed"),
        pytest.param(watched(), job(JobStatus.FAILED), Effect.NOTHING, id="a failed one waits for a person"),
        pytest.param(watched(), job(JobStatus.CANCELLED), Effect.NOTHING, id="a cancelled one has ended"),
        pytest.param(None, job(), Effect.REMOVE, id="a removed source takes its job with it"),
        pytest.param(None, paused(PausedBy.OPERATOR), Effect.REMOVE, id="a paused one as well"),
        pytest.param(None, None, Effect.NOTHING, id="a source nobody knows has no effect"),
    ],
)
def test_a_job_follows_its_source(source, before, effect):
    assert decide(source, before, resumes=BY_SOURCE) is effect


def test_a_reconciliation_resumes_what_a_person_paused():
    assert decide(watched(), paused(PausedBy.OPERATOR), resumes=BY_ANYBODY) is Effect.RESUME


@given(
    st.sampled_from([None, watched(), watched(priority=9), watched(**DISABLED)]),
    st.none()
    | st.sampled_from(JobStatus).filter(lambda status: status is not JobStatus.PAUSED).map(job)
    | st.sampled_from(PausedBy).map(paused),
)
def test_what_was_followed_once_needs_nothing_more(source, before):
    effect = decide(source, before, resumes=BY_SOURCE)

    assert decide(source, _after(effect, source, before), resumes=BY_SOURCE) is Effect.NOTHING


def _after(effect: Effect, source: Any, before: Job | None) -> Job | None:
    match effect:
        case Effect.NOTHING:
            return before
        case Effect.REMOVE:
            return None
        case Effect.PAUSE:
            return paused(PausedBy.SOURCE)
    plan = plan_for(source)
    was = before if effect is Effect.RESCHEDULE and before is not None else job()
    changed = {"every": plan.every, "priority": plan.priority}
    return job(was.status, paused_at=was.paused_at, paused_by=was.paused_by, **changed)


def test_intervals_are_said_as_people_say_them():
    assert [str(Interval.minutes(minutes)) for minutes in (1, 38, 60, 180, 1440)] == [
        "1 minute",
        "38 minutes",
        "1 hour",
        "3 hours",
        "1 day",
    ]
