"""How long a failed URL and a broken connection wait."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.frontier.backoff import FIRST_RETRY, LONGEST_RETRY, retry_in, robots_wait, transport_wait


@pytest.mark.parametrize(
    ("attempts", "retry_after", "jitter", "seconds"),
    [
        pytest.param(1, None, 0.0, 60, id="a minute after the first failure"),
        pytest.param(2, None, 0.0, 120, id="twice as long after the second"),
        pytest.param(3, None, 0.0, 240, id="and after the third"),
        pytest.param(1, None, 1.0, 60.5, id="up to half a second is added"),
        pytest.param(0, None, 0.0, 60, id="a request that was not the page's fault"),
        pytest.param(1, timedelta(minutes=5), 0.0, 300, id="the server asks for more"),
        pytest.param(3, timedelta(seconds=1), 0.0, 240, id="the server cannot ask for less"),
        pytest.param(11, None, 0.0, 61_440, id="still within a day"),
        pytest.param(12, None, 1.0, 86_400, id="a day at most"),
        pytest.param(10**9, None, 1.0, 86_400, id="for ever"),
        pytest.param(1, timedelta(days=3_650), 0.0, 86_400, id="whatever the server asks"),
    ],
)
def test_a_failed_url_waits_longer_every_time(attempts, retry_after, jitter, seconds):
    assert retry_in(attempts, retry_after, jitter).total_seconds() == seconds


@given(st.integers(), st.none() | st.timedeltas(), st.floats(0, 1))
def test_the_wait_is_never_short_and_never_endless(attempts, retry_after, jitter):
    assert FIRST_RETRY <= retry_in(attempts, retry_after, jitter) <= LONGEST_RETRY


def test_a_broken_connection_waits_seconds():
    assert [transport_wait(n, 0.0).total_seconds() for n in (1, 2, 3, 4)] == [1, 2, 4, 4]
    assert transport_wait(1, 1.0) == timedelta(milliseconds=1_500)


def test_robots_txt_waits_a_little_longer():
    assert [robots_wait(n).total_seconds() for n in (1, 2, 3)] == [2, 4, 4]
