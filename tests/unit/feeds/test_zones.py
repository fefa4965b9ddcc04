"""Time zones as they are written."""

from datetime import datetime, timedelta

import pytest

from outrider.feeds.zones import zone_of

WINTER = datetime(2021, 1, 1)


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        ("Z", 0),
        ("gmt", 0),
        ("EST", -5),
        ("MESZ", 2),
        ("+0530", 5.5),
        ("-03:00", -3),
        ("+2", 2),
        ("UTC+1", 1),
        ("GMT-07:00", -7),
        ("Asia/Tokyo", 9),
        ("Etc/GMT", 0),
    ],
)
def test_a_zone_is_known(written, hours):
    zone = zone_of(written)

    assert zone is not None
    assert zone.utcoffset(WINTER) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "written", ["", "at noon", "+9999", "+01:75", "../../etc/passwd", "Mars/Olympus", "X" * 99]
)
def test_what_is_no_zone_is_none(written):
    assert zone_of(written) is None
