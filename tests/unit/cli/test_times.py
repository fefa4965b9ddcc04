"""Times and ages that people type."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from outrider.cli.times import time_of
from outrider.errors import InvalidInput

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-04-30", datetime(2026, 4, 30, tzinfo=UTC)),
        ("2026-04-30T10:00:00+02:00", datetime(2026, 4, 30, 10, tzinfo=timezone(timedelta(hours=2)))),
        ("7d", NOON - timedelta(days=7)),
        ("1d12h", NOON - timedelta(hours=36)),
        ("90", NOON - timedelta(seconds=90)),
    ],
)
def test_since_is_a_time_or_an_age(text, at):
    assert time_of(text, NOON) == at


@pytest.mark.parametrize("text", ["yesterday", "", "7 fortnights", "-1d", "1y", "99999999w", "999999999w"])
def test_since_cannot_be_anything_else(text):
    with pytest.raises(InvalidInput, match="neither a time"):
        time_of(text, NOON)
