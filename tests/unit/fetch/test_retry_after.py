"""How long a server asks us to stay away."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch.retry_after import retry_after

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
HOUR = 3600.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        pytest.param("120", 120.0, id="seconds"),
        pytest.param(" 120 ", 120.0, id="seconds with spaces around"),
        pytest.param("0", 0.0, id="at once"),
        pytest.param("1.5", 1.5, id="a fraction, which the standard does not know"),
        pytest.param("86400", HOUR, id="a day is capped"),
        pytest.param("9" * 300, HOUR, id="an absurd number is capped"),
        pytest.param("Sun, 15 Nov 2026 12:05:00 GMT", 300.0, id="a date"),
        pytest.param("Sunday, 15-Nov-26 12:05:00 GMT", 300.0, id="a date of RFC 850"),
        pytest.param("Sun Nov 15 12:05:00 2026", 300.0, id="a date of asctime"),
        pytest.param("Sun, 15 Nov 2026 13:05:00 +0100", 300.0, id="a date with an offset"),
        pytest.param("Fri, 31 Dec 9999 23:59:59 GMT", HOUR, id="a date in the far future is capped"),
        pytest.param("Sun, 15 Nov 2026 11:59:59 GMT", None, id="a date already past says nothing"),
        pytest.param("-5", None, id="a negative number says nothing"),
        pytest.param("soon", None, id="a word"),
        pytest.param("", None, id="nothing"),
        pytest.param(None, None, id="no header"),
        pytest.param("١٢", None, id="digits of another script"),
        pytest.param("1e3", None, id="an exponent"),
        pytest.param("inf", None, id="infinity"),
        pytest.param("9" * 10_000, None, id="a number of ten thousand digits"),
        pytest.param("Sun, 99 Nov 2026 12:05:00 GMT", None, id="a day that does not exist"),
    ],
)
def test_the_wait_is_read_in_both_forms_and_capped(value, seconds):
    assert retry_after(value, NOON, HOUR) == seconds


@given(st.text())
def test_any_text_is_a_wait_within_the_cap_or_none(value):
    wait = retry_after(value, NOON, HOUR)

    assert wait is None or 0 <= wait <= HOUR
