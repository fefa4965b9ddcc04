"""“3 hours ago” is a moment."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.extract.dates.time_ago import time_ago

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("3 hours ago", timedelta(hours=3)),
        ("Posted 12 minutes ago by A. Writer", timedelta(minutes=12)),
        ("an hour ago", timedelta(hours=1)),
        ("2 days ago", timedelta(days=2)),
        ("5 min ago", timedelta(minutes=5)),
        ("1 week ago", timedelta(weeks=1)),
        ("vor 3 Stunden", timedelta(hours=3)),
        ("vor einer Stunde", timedelta(hours=1)),
        ("il y a 2 jours", timedelta(days=2)),
        ("hace 4 horas", timedelta(hours=4)),
    ],
)
def test_how_long_ago(text, passed):
    assert time_ago(text, NOW) == NOW - passed


@pytest.mark.parametrize(
    "text", ["", "today", "3 hours", "in 3 hours", "long ago", "9999 weeks ago", "2 daybreaks of years"]
)
def test_what_speaks_of_no_moment(text):
    assert time_ago(text, NOW) is None
