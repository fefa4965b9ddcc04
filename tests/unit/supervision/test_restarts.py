"""Processes that end: how long until the next start, and when to give up."""

import signal

from outrider.supervision.restarts import (
    LONGEST_PAUSE_OF_STARTS_S,
    LONGEST_PAUSE_S,
    MOST_FAILED_STARTS,
    MOST_FAILURES,
    STEADY_S,
    ProcessEnd,
    Restarts,
)

FAILED = ProcessEnd(1.0, 1)
NEVER_READY = ProcessEnd(1.0, 1, was_ready=False)


def after(*ends: ProcessEnd) -> Restarts:
    restarts = Restarts()
    for end in ends:
        restarts = restarts.after([end])
    return restarts


def test_each_worker_that_ends_at_once_makes_the_next_wait_longer():
    pauses = [after(*[FAILED] * times).pause_s for times in range(7)]

    assert pauses == [0.5, 1, 2, 4, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]


def test_workers_that_end_together_make_the_next_wait_longer_once():
    assert Restarts().after([FAILED] * 5).pause_s == after(FAILED).pause_s


def test_a_worker_that_ran_for_long_is_replaced_at_once():
    assert after(FAILED, FAILED, ProcessEnd(STEADY_S + 1, 1)).pause_s == 0.5


def test_the_supervisor_gives_up_after_a_few_failures_in_a_row():
    assert not after(*[FAILED] * (MOST_FAILURES - 1)).have_no_progress
    assert after(*[FAILED] * MOST_FAILURES).have_no_progress


def test_a_crash_at_work_counts_and_a_kill_from_outside_does_not():
    assert after(*[ProcessEnd(1.0, -signal.SIGSEGV)] * MOST_FAILURES).have_no_progress
    assert not after(*[ProcessEnd(1.0, -signal.SIGKILL)] * 50).have_no_progress
    assert not after(*[ProcessEnd(1.0, -signal.SIGTERM)] * 50).have_no_progress


def test_each_process_may_fail_at_its_start_a_few_times():
    failed = [NEVER_READY] * MOST_FAILED_STARTS * 2

    assert not after(*failed[1:]).cannot_start(processes=2)
    assert after(*failed).cannot_start(processes=2)


def test_a_start_that_was_killed_has_failed():
    assert after(*[ProcessEnd(1.0, -signal.SIGKILL, was_ready=False)] * 3).cannot_start(processes=1)


def test_starts_that_fail_become_rare():
    assert after(*[NEVER_READY] * 20).pause_s == LONGEST_PAUSE_OF_STARTS_S


def test_a_process_that_is_ready_forgives_failed_starts():
    restarts = after(*[NEVER_READY] * 20).after_start()

    assert restarts.failed_starts == 0
    assert restarts.pause_s == LONGEST_PAUSE_S


def test_progress_forgives_failures_at_work_and_keeps_the_pause():
    before = after(*[FAILED] * (MOST_FAILURES - 1), NEVER_READY)

    assert before.after_progress() == Restarts(before.pause_s, 0, failed_starts=1)


def test_no_failure_counts_while_the_database_is_away():
    before = after(FAILED, NEVER_READY)

    assert before.while_away() == Restarts(before.pause_s)
