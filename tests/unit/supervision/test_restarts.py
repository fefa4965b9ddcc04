"""Workers that end: how long until the next start, and when to give up."""

import signal

from outrider.supervision.restarts import LONGEST_PAUSE_S, MOST_FAILURES, STEADY_S, Restarts

FAILED = 1


def after(*ends: tuple[float, int]) -> Restarts:
    restarts = Restarts()
    for ran_s, exit_code in ends:
        restarts = restarts.after(ran_s, exit_code)
    return restarts


def test_each_worker_that_ends_at_once_makes_the_next_wait_longer():
    pauses = [after(*[(1.0, FAILED)] * times).pause_s for times in range(7)]

    assert pauses == [0.5, 1, 2, 4, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]


def test_a_worker_that_ran_for_long_is_replaced_at_once():
    assert after((1.0, FAILED), (1.0, FAILED), (STEADY_S + 1, FAILED)).pause_s == 0.5


def test_the_supervisor_gives_up_after_a_few_failures_in_a_row():
    assert not after(*[(1.0, FAILED)] * (MOST_FAILURES - 1)).are_hopeless
    assert after(*[(1.0, FAILED)] * MOST_FAILURES).are_hopeless


def test_a_crash_counts_and_a_kill_from_outside_does_not():
    assert after(*[(1.0, -signal.SIGSEGV)] * MOST_FAILURES).are_hopeless
    assert not after(*[(1.0, -signal.SIGKILL)] * 50).are_hopeless
    assert not after(*[(1.0, -signal.SIGTERM)] * 50).are_hopeless


def test_progress_forgives_failures_and_keeps_the_pause():
    before = after(*[(1.0, FAILED)] * (MOST_FAILURES - 1))

    assert before.after_progress().failures == 0
    assert before.after_progress().pause_s == before.pause_s
