"""Times and ages that people type."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from outrider.cli.times import seconds_of, time_of
from outrider.errors import InvalidInput

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "seconds"), [("90", 90), ("30m", 1_800), ("12 h", 43_200), ("0", 0), ("2W", 1_209_600)]
)
def test_ages(age, seconds):
    assert seconds_of(age) == seconds


@pytest.mark.parametrize("age", ["", "soon", "-1d", "1y", "1d12h", "9" * 30])
def test_what_is_no_age_is_refused_in_words(age):
    with pytest.raises(ValueError, match="is not an age"):
        seconds_of(age)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-04-30", datetime(2026, 4, 30, tzinfo=UTC)),
        ("2026-04-30T10:00:00+02:00", datetime(2026, 4, 30, 10, tzinfo=timezone(timedelta(hours=2)))),
        ("7d", NOON - timedelta(days=7)),
        ("90", NOON - timedelta(seconds=90)),
    ],
)
def test_since_is_a_time_or_an_age(text, at):
    assert time_of(text, NOON) == at


@pytest.mark.parametrize("text", ["yesterday", "", "7 fortnights", "999999999w"])
def test_since_cannot_be_anything_else(text):
    with pytest.raises(InvalidInput, match="neither a time"):
        time_of(text, NOON)
