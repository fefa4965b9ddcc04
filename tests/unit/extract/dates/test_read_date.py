"""Dates as people and programs write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from outrider.extract.dates.read_date import read_date

NOW = datetime(2026, 1, 10, 12, tzinfo=UTC)
DAY = datetime(2024, 5, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-17",
        "2024/5/17",
        "20240517",
        "May 17, 2024",
        "Friday, May 17th, 2024",
        "17 May 2024",
        "17. Mai 2024",
        "17 de mayo de 2024",
        "17 mai 2024",
        "17 мая 2024",
        "17-May-2024",
        "17.05.2024",
        "17/05/2024",
        "05/17/2024",
        "2024年5月17日",
        "Posted on 17 May 2024 by Ann",
    ],
)
def test_many_spellings_of_one_day(text):
    assert read_date(text, NOW) == DAY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-17T10:30:05Z", DAY.replace(hour=10, minute=30, second=5)),
        ("2024-05-17T10:30:05.123456+00:00", DAY.replace(hour=10, minute=30, second=5)),
        ("2024-05-17 10:30", DAY.replace(hour=10, minute=30)),
        ("Fri, 17 May 2024 10:30:05 GMT", DAY.replace(hour=10, minute=30, second=5)),
        ("May 17, 2024 at 3:05 pm", DAY.replace(hour=15, minute=5)),
        ("May 17, 2024 12:05 a.m.", DAY.replace(minute=5)),
        ("20240517T103005Z", DAY.replace(hour=10, minute=30, second=5)),
        ("1715941805", DAY.replace(hour=10, minute=30, second=5)),
        ("1715941805000", DAY.replace(hour=10, minute=30, second=5)),
    ],
)
def test_the_time_is_kept_where_there_is_one(text, expected):
    assert read_date(text, NOW) == expected


@pytest.mark.parametrize("offset", ["+0530", "+05:30"])
def test_a_date_keeps_its_zone_and_so_its_day(offset):
    date = read_date(f"2024-05-17T01:00:00{offset}", NOW)

    assert date == datetime(2024, 5, 17, 1, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert date.day == 17


@pytest.mark.parametrize(("day_first", "month"), [(False, 3), (True, 4)])
def test_a_date_that_reads_both_ways(day_first, month):
    assert read_date("03/04/2024", NOW, day_first).month == month


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "yesterday",
        "2024",
        "May 2024",
        "2024-05",
        "2024-13-01",
        "2023-02-30",
        "2024-05-17T25:61",
        "2024-05-17T10:00:00+99:00",
        "17 Foo 2024",
        "1989-12-31",
        "2026-01-13",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "12345678901234567890",
        "x" * 10_000,
    ],
)
def test_what_is_no_date_of_a_page_is_none(text):
    assert read_date(text, NOW) is None


def test_tomorrow_is_still_believed_for_the_sake_of_time_zones():
    assert read_date("2026-01-11", NOW) is not None
