"""Numbers as people read them."""

import pytest

from outrider import wording


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (99_940, "99.9 kB"),
        (123_456, "123 kB"),
        (999_600, "1.0 MB"),
        (10**21, "1000000 PB"),
    ],
)
def test_sizes_have_three_digits_and_a_decimal_unit(number, told):
    assert wording.size(number) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.0004, "0 ms"),
        (0.25, "250 ms"),
        (0.9996, "1 s"),
        (1.25, "1.2 s"),
        (59, "59 s"),
        (119.6, "120 s"),
        (120, "2 minutes"),
        (3600, "60 minutes"),
        (7200, "2 hours"),
        (172_800, "2 days"),
    ],
)
def test_spans_are_rough(seconds, told):
    assert wording.span(seconds) == told


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0s"), (119, "119s"), (900, "15m"), (7200, "2h"), (200_000, "2d")]
)
def test_in_a_table_spans_are_brief(seconds, told):
    assert wording.brief(seconds) == told


@pytest.mark.parametrize(
    ("delay_s", "told"),
    [
        (0, "any number of requests"),
        (0.02, "50 requests/s"),
        (0.25, "4 requests/s"),
        (1, "1 request/s"),
        (1.5, "1 request every 1.5 s"),
        (30, "1 request every 30 s"),
    ],
)
def test_a_delay_is_written_as_a_pace(delay_s, told):
    assert wording.pace(delay_s) == told


@pytest.mark.parametrize(
    ("per_s", "told"), [(0, "0.0/s"), (12.34, "12.3/s"), (99.96, "100/s"), (1234.5, "1,234/s")]
)
def test_rates(per_s, told):
    assert wording.rate(per_s) == told


@pytest.mark.parametrize(
    "number", [0, 99_999, 100_000, 999_499, 999_500, 99_949_999, 99_950_000, 999_000_000]
)
def test_short_counts_fit_in_six_characters(number):
    assert len(wording.short(number)) <= 6


def test_the_clock_counts_hours():
    assert wording.clock(3_723.9) == "1:02:03"
    assert wording.clock(360_000) == "100:00:00"


def test_one_thing_and_many():
    assert wording.plural(1, "host") == "1 host"
    assert wording.plural(1_200, "host") == "1,200 hosts"
    assert wording.plural(2, "URL is", "URLs are") == "2 URLs are"


def test_the_tallest_value_of_a_sparkline_is_full():
    assert wording.sparkline([0, 1, 2, 4], 4) == "▁▃▅█"
    assert wording.sparkline([9, 0, 0], 2) == "▁▁"
    assert wording.sparkline([], 10) == ""


def test_a_bar_is_never_longer_than_its_room_and_never_empty_for_something():
    assert wording.bar(0, 10) == ""
    assert wording.bar(0.001, 10) == "▏"
    assert wording.bar(0.55, 10) == "█████▌"
    assert wording.bar(7, 10) == "█" * 10


def test_reasons_become_phrases():
    assert wording.words("max_retries:http_503") == "http 503, again and again"
