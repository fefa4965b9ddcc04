"""How often a lock is asked for."""

import pytest

from outrider.coordination.retries import ONCE, REDLOCK, TEN_TIMES, Retries


def waits(retries: Retries, chance: float) -> list[float]:
    found: list[float] = []
    while (wait_s := retries.wait_after(len(found) + 1, chance)) is not None:
        found.append(wait_s)
    return found


def test_a_lock_is_tried_ten_times_a_tenth_of_a_second_apart():
    assert waits(TEN_TIMES, 1.0) == [0.1] * 9


def test_redlock_is_tried_three_times_at_least_200_ms_apart():
    assert waits(REDLOCK, 0.0) == [0.2] * 2


def test_redlock_candidates_that_met_once_do_not_meet_again():
    assert waits(REDLOCK, 1.0) == pytest.approx([0.25] * 2)


def test_a_candidate_tries_once():
    assert waits(ONCE, 0.5) == []
