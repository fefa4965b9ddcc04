"""A job under random actions, crashed schedulers and a moving clock, compared with a small model.

The model knows only the tables of JOB-03 and JOB-05, and which scheduler holds the run.
"""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.support.jobs import make_job, make_run
from tests.support.sources import NOON

from outrider.errors import Conflict, LockLost
from outrider.jobs import locks, transitions
from outrider.jobs.model import Interval, Job, JobStatus, PausedBy
from outrider.jobs.states import is_terminal
from outrider.jobs.transitions import RunResult
from outrider.runs.model import Run, RunStatus

MINUTE = timedelta(minutes=1)
MOVES = {
    "pending": "scheduled running cancelled",
    "scheduled": "running paused cancelled pending",
    "running": "completed failed scheduled cancelled",
    "completed": "scheduled",
    "failed": "pending",
    "paused": "scheduled cancelled",
    "cancelled": "",
}
VALID = {
    "pause": "scheduled",
    "resume": "paused",
    "cancel": "scheduled running paused pending",
    "retry": "failed",
    "force_run": "scheduled",
}
SCHEDULERS = [UUID(int=number) for number in range(1, 4)]
schedulers = st.sampled_from(SCHEDULERS)
waits = st.none() | st.sampled_from([1, 20, 76, 1440]).map(lambda minutes: minutes * MINUTE)
intervals = st.none() | st.sampled_from([1, 5, 15, 38, 60, 1440, 10_080]).map(Interval.minutes)


class JobHistory(RuleBasedStateMachine):
    """The job, its executions, and what schedulers believe."""

    job: Job

    @initialize(every=intervals, auto_managed=st.booleans(), max_retries=st.integers(0, 3))
    def make(self, every, auto_managed, max_retries):
        self.now = NOON
        first = transitions.first_schedule(every, NOON + 15 * MINUTE, NOON)
        self.job = make_job(
            first.status,
            every=every,
            auto_managed=auto_managed and every is not None,
            max_retries=max_retries,
            next_run_at=first.next_run_at,
            slot_at=first.slot_at,
        )
        self.executions: list[Run] = []
        self.holder: UUID | None = None
        self.due_at = NOON

    @rule(by=st.sampled_from([-2.0, 0.0, 0.5, 1.0, 4.0, 6.0, 61.0, 60.0 * 24, 60.0 * 24 * 8]))
    def time_passes(self, by):
        self.now += by * MINUTE

    @rule(action=st.sampled_from(sorted(VALID)))
    def operator_acts(self, action):
        actions = {
            "pause": lambda: transitions.pause(self.job, PausedBy.OPERATOR, self.now),
            "resume": lambda: transitions.resume(self.job, self.now + 15 * MINUTE, self.now),
            "cancel": lambda: transitions.cancel(self.job, self.now),
            "retry": lambda: transitions.retry(self.job, self.now),
            "force_run": lambda: transitions.force_run(self.job, self.now),
        }
        if self.job.status.value in VALID[action].split():
            self.become(actions[action]())
        else:
            with pytest.raises(Conflict, match=f"the job is {self.job.status.value}"):
                actions[action]()

    @rule(every=intervals)
    def operator_changes_the_interval(self, every):
        if self.job.status is not JobStatus.COMPLETED:
            self.become(
                transitions.change_interval(self.job, every, self.now + 30 * MINUTE, self.now),
                same_state=True,
            )

    @rule(token=schedulers)
    def scheduler_starts_what_is_due(self, token):
        if not transitions.is_due(self.job, self.now):
            with pytest.raises(Conflict):
                transitions.start(self.job, token, self.now)
            return
        assert self.holder is None
        self.due_at = self.job.next_run_at
        self.become(transitions.start(self.job, token, self.now))
        self.holder = token
        self.executions.append(make_run(self.job.runs))

    @rule(token=schedulers)
    def scheduler_renews(self, token):
        if token == self.holder:
            self.become(locks.renew(self.job, token, self.now), same_state=True)
        else:
            with pytest.raises(LockLost):
                locks.renew(self.job, token, self.now)

    @rule(token=schedulers)
    def scheduler_takes_over(self, token):
        if self.holder is not None and self.now - self.job.lock_acquired_at > 5 * MINUTE:
            self.become(locks.take_over(self.job, token, self.now), same_state=True)
            self.holder = token
        else:
            with pytest.raises(Conflict):
                locks.take_over(self.job, token, self.now)

    @rule(token=schedulers, result=st.sampled_from(RunResult), wait=waits)
    def scheduler_finishes(self, token, result, wait=None):
        if token != self.holder:
            with pytest.raises(LockLost):
                transitions.finish(self.job, token, result, self.now)
            return
        was_cancelled = self.job.status is JobStatus.CANCELLED
        finished = transitions.finish(self.job, token, result, self.now, wait=wait)
        self.become(finished.job, same_state=was_cancelled)
        assert finished.execution is not RunStatus.RUNNING
        self.executions[-1] = replace(self.executions[-1], status=finished.execution)
        self.holder = None
        if was_cancelled:
            assert finished.execution is RunStatus.CANCELLED
        elif self.job.status is JobStatus.SCHEDULED:
            assert self.job.next_run_at > self.now
            assert result is not RunResult.COMPLETED or self.job.next_run_at > self.due_at

    @precondition(lambda self: self.job.status is JobStatus.RUNNING)
    @rule()
    def whatever_happened_a_running_job_can_be_brought_to_an_end(self):
        self.now = max(self.now, self.job.lock_acquired_at) + 6 * MINUTE  # the clock may have been set back
        self.scheduler_takes_over(SCHEDULERS[0])
        self.scheduler_finishes(SCHEDULERS[0], RunResult.FAILED)
        assert self.job.status is not JobStatus.RUNNING

    def become(self, after: Job, *, same_state: bool = False) -> None:
        was, to = self.job.status.value, after.status.value
        assert was == to if same_state else to in MOVES[was].split(), f"{was} became {to}"
        self.job = after

    @invariant()
    def one_execution_is_open_at_most_and_only_while_the_lock_is_held(self):
        is_open = [each.is_open for each in self.executions]
        assert sum(is_open) == (self.holder is not None) == self.job.has_open_execution
        assert not any(is_open[:-1])

    @invariant()
    def the_constraints_of_the_table_hold(self):
        job, status = self.job, self.job.status
        assert (status is JobStatus.CANCELLED) == (job.cancelled_at is not None)
        assert (status is JobStatus.PAUSED) == (job.paused_at is not None) == (job.paused_by is not None)
        assert (job.lock_token is None) == (job.lock_acquired_at is None)
        assert status is not JobStatus.PAUSED or job.next_run_at is None
        assert status not in (JobStatus.SCHEDULED, JobStatus.PENDING) or job.next_run_at is not None
        assert status is not JobStatus.RUNNING or job.lock_token is not None
        assert 0 <= job.current_retry_count <= job.max_retries

    @invariant()
    def a_job_that_has_ended_never_becomes_due(self):
        if is_terminal(self.job):
            assert not transitions.is_due(self.job, self.now + timedelta(days=3660))

    @invariant()
    def runs_are_numbered_without_gaps(self):
        assert [each.execution_number for each in self.executions] == list(range(1, self.job.runs + 1))


TestJobHistory = JobHistory.TestCase
TestJobHistory.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
