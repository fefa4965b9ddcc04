"""A holder stops believing in its lock before the server forgets it."""

import pytest

from outrider.coordination.deadline import valid_until


@pytest.mark.parametrize("ttl_s", [0.5, 1.0, 30.0, 3600.0])
def test_a_lock_counts_as_lost_one_percent_before_it_expires(ttl_s: float):
    assert 100.0 + ttl_s - valid_until(100.0, ttl_s) == pytest.approx(ttl_s * 0.01 + 0.002)


def test_the_lifetime_counts_from_the_request_and_not_from_its_answer():
    assert valid_until(105.0, 30.0) - valid_until(100.0, 30.0) == pytest.approx(5.0)
