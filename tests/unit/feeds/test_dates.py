"""Dates as feeds write them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.feeds.dates import read_date

MOMENT = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
MINUTE = MOMENT.replace(second=0)
DAY = datetime(2021, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Thu, 04 Mar 2021 05:06:07 GMT", MOMENT, id="RFC 822"),
        pytest.param("Sun, 04 Mar 2021 05:06:07 GMT", MOMENT, id="the weekday is wrong"),
        pytest.param("4 Mar 21 05:06:07 UT", MOMENT, id="a year of two digits"),
        pytest.param("Thu, 04 Mar 1999 05:06:07 Z", MOMENT.replace(year=1999), id="military zone"),
        pytest.param("Thu, 04 Mar 99 05:06:07 GMT", MOMENT.replace(year=1999), id="the century before"),
        pytest.param("Thu, 04 Mar 2021 00:06:07 EST", MOMENT, id="a named zone"),
        pytest.param("Wed, 03 Mar 2021 21:06:07 PT", MOMENT, id="a zone without its season"),
        pytest.param("Thu, 04 Mar 2021 07:06:07 +02:00", MOMENT, id="an offset with its colon"),
        pytest.param("Thu, 04 Mar 2021 02:06:07 GMT-3", MOMENT, id="an offset from GMT"),
        pytest.param("Thu, 04 Mar 2021 06:06:07 Europe/Paris", MOMENT, id="a region"),
        pytest.param("Thu, 04 Mar 2021 05:06:07", MOMENT, id="no zone"),
        pytest.param("Thu, 04 Mar 2021 05:06:07 QQQ", MOMENT, id="a zone nobody knows"),
        pytest.param("Thu, 04 Mar, 2021 05:06 GMT", MINUTE, id="no seconds, one comma too many"),
        pytest.param("Thu Mar  4 05:06:07 2021", MOMENT, id="asctime"),
        pytest.param("Thu Mar 04 05:06:07 +0000 2021", MOMENT, id="the zone before the year"),
        pytest.param("Thu Mar 04 2021 05:06:07 GMT+0000 (Greenwich Mean Time)", MOMENT, id="JavaScript"),
        pytest.param("March 4th, 2021 at 5:06 am", MINUTE, id="as people write it"),
        pytest.param("Mar. 4, 2021, 5:06 p.m.", MINUTE.replace(hour=17), id="afternoon with dots"),
        pytest.param("4 March 2021 12:06 AM GMT", MINUTE.replace(hour=0), id="twelve at night"),
        pytest.param("2021-03-04T05:06:07Z", MOMENT, id="ISO 8601"),
        pytest.param(
            "2021-03-04T05:06:07.891+00:00", MOMENT.replace(microsecond=891000), id="with a fraction"
        ),
        pytest.param("2021-03-03 19:06:07 -10:00", MOMENT, id="spaces for the T"),
        pytest.param("2021-03-04T05:06:07+00:00Z", MOMENT, id="two zones"),
        pytest.param("2021-03-04T05:06", MINUTE, id="ISO without seconds"),
        pytest.param("20210304T050607Z", MOMENT, id="ISO without separators"),
        pytest.param("2021-3-4 5:06:07", MOMENT, id="ISO without zeros"),
        pytest.param("2021/03/04 05:06:07", MOMENT, id="slashes, year first"),
        pytest.param("2021-03-04", DAY, id="a day"),
        pytest.param("2021-063", DAY, id="the day's number in its year"),
        pytest.param("21-03-04", DAY, id="short year first"),
        pytest.param("2021-03", DAY.replace(day=1), id="a month"),
        pytest.param("2021", datetime(2021, 1, 1, tzinfo=UTC), id="a year"),
        pytest.param("March 2021", DAY.replace(day=1), id="a month by its name"),
        pytest.param("03/04/2021", DAY, id="between slashes the month comes first"),
        pytest.param("25/03/2021", DAY.replace(day=25), id="unless it cannot"),
        pytest.param("4.3.2021", DAY, id="between dots the day comes first"),
        pytest.param("Do, 04 Mär 2021 06:06:07 +0100", MOMENT, id="German"),
        pytest.param("jeu., 04 mars 2021 05:06:07 +0000", MOMENT, id="French"),
        pytest.param(
            "mar., 02 déc. 2014 00:00:00 +0000", datetime(2014, 12, 2, tzinfo=UTC), id="mar is Tuesday"
        ),
        pytest.param("4 de marzo de 2021", DAY, id="Spanish"),
        pytest.param("gio, 04 mar 2021 05:06:07 GMT", MOMENT, id="Italian"),
        pytest.param("4 de março de 2021", DAY, id="Portuguese"),
        pytest.param("4 марта 2021 05:06", MINUTE, id="Russian"),
        pytest.param("4 marca 2021", DAY, id="Polish"),
        pytest.param("Πέμ, 04 Μάρ 2021 05:06:07 GMT", MOMENT, id="Greek"),
        pytest.param("2021-március-04T05:06:07", MOMENT, id="Hungarian"),
        pytest.param("2021年3月4日 05:06", MINUTE, id="Chinese and Japanese"),
        pytest.param("2021년 3월 4일 14:06", MINUTE, id="Korean, in Korean time"),
        pytest.param("2021-03-04 오후 02:06:07", MOMENT, id="Korean afternoon"),
        pytest.param("1614834367", MOMENT, id="seconds since 1970"),
        pytest.param("1614834367000", MOMENT, id="milliseconds since 1970"),
        pytest.param("  \n2021-03-04\t", DAY, id="white space around it"),
        pytest.param("2021-03-04T24:00:00Z", DAY.replace(day=5), id="the last midnight"),
        pytest.param("Thu, 04 Mar 2021 24:05 GMT", DAY.replace(day=5, minute=5), id="and what follows it"),
    ],
)
def test_a_date_is_read(text, expected):
    assert read_date(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "yesterday",
        "invalid",
        "0001-01-01T00:00:00",
        "2021-13-04",
        "2021-02-30",
        "2021-03-04T25:06:07Z",
        "2021-03-04T05:61:07Z",
        "Sun, 16 Foo 2012 11:47:32 GMT",
        "Sun, 16 Dec zz 11:47:32 GMT",
        "Sun, 99 Jun 2009 12:00:00 GMT",
        "Sun, 16 Dec 2012 11:47:32 +zz:00",
        "Sun, 16 Dec 2012 1:2:3:4 GMT",
        "2013-01-27-01",
        "9" * 40,
        "9999-12-31T23:59:59-15:00",
    ],
)
def test_what_is_no_date_is_none(text):
    assert read_date(text) is None


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_gives_a_moment_in_utc_or_none(text):
    found = read_date(text)

    assert found is None or found.tzinfo is UTC


@settings(deadline=None)
@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2068, 1, 1)))
def test_what_python_writes_is_read_back(moment):
    moment = moment.replace(microsecond=0, tzinfo=UTC)

    assert read_date(moment.isoformat()) == moment
    assert read_date(moment.strftime("%a, %d %b %Y %H:%M:%S +0000")) == moment
    assert read_date(moment.strftime("%A, %d-%b-%y %H:%M:%S GMT")) == moment


@settings(deadline=None)
@given(
    st.integers(0, 33),
    st.sampled_from(("Jan", "Feb", "Mar", "May", "Sep", "Dec", "Mai", "Foo")),
    st.integers(0, 9999),
    st.tuples(st.integers(0, 25), st.integers(0, 61), st.integers(0, 61)),
    st.sampled_from(("GMT", "+0000", "-0000", "+0530", "-0800", "+1400", "+2500", "-0099")),
)
def test_the_short_way_to_the_date_of_a_mail_leads_where_the_long_one_does(day, month, year, clock, zone):
    hour, minute, second = clock
    usual = f"Mar, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} {zone}"

    assert read_date(usual) == read_date(usual.replace(", ", ",  "))
