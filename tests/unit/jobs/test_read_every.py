"""Intervals as people write them."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.jobs.model import LONGEST_INTERVAL, Interval, Unit
from outrider.jobs.read_every import read_every


@pytest.mark.parametrize(
    ("text", "every"),
    [
        ("30m", Interval(30, Unit.MINUTES)),
        ("360 minutes", Interval(360, Unit.MINUTES)),
        ("6h", Interval(6, Unit.HOURS)),
        (" 1 Hour ", Interval(1, Unit.HOURS)),
        ("2d", Interval(2, Unit.DAYS)),
        ("366d", Interval(366, Unit.DAYS)),
    ],
)
def test_the_unit_stays_as_it_was_written(text, every):
    assert read_every(text) == every


def test_360_minutes_and_6_hours_are_equal():
    assert read_every("360m").length == read_every("6h").length == timedelta(hours=6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0h", "the interval is 0 hours: it must be at least 1"),
        ("-5m", "the interval is -5 minutes: it must be at least 1"),
        ("1.5h", "the interval '1.5h' is not a whole number: write 90m instead of 1.5h"),
        ("1,5 h", "the interval '1,5 h' is not a whole number: write 90m instead of 1.5h"),
        ("6", "the interval '6' has no unit: write 30m, 6h or 2d"),
        ("367d", "the interval is longer than 366 days"),
        ("999999999999d", "the interval is longer than 366 days"),
        ("1h30m", "'1h30m' is not an interval: write 30m, 6h or 2d"),
        ("daily", "'daily' is not an interval: write 30m, 6h or 2d"),
        ("30s", "'30s' is not an interval: write 30m, 6h or 2d"),
        ("", "'' is not an interval: write 30m, 6h or 2d"),
    ],
)
def test_anything_else_is_refused_with_one_sentence(text, sentence):
    with pytest.raises(InvalidInput) as refused:
        read_every(text)

    assert str(refused.value) == sentence


@given(st.text(max_size=60))
def test_any_text_is_an_interval_within_the_limits_or_refused(text):
    try:
        every = read_every(text)
    except InvalidInput:
        return
    assert timedelta(minutes=1) <= every.length <= LONGEST_INTERVAL
