"""Durations as people write them."""

from datetime import timedelta

import pytest

from outrider.durations import seconds_of, short


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10),
        ("1m", 60),
        ("5", 5),
        ("90", 90),
        ("0.5", 0.5),
        ("15 min", 900),
        ("12 h", 43_200),
        ("1h30m", 5400),
        ("1d 12h", 129_600),
        ("7d", 604_800),
        ("2W", 1_209_600),
        ("500ms", 0.5),
        ("0", 0),
        ("9" * 9, 999_999_999),
    ],
)
def test_a_duration_in_seconds(text, seconds):
    assert seconds_of(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "-5",
        "-1d",
        "1x",
        "1y",
        "10 s later",
        "1e9",
        "9" * 10,
        "٣s",
        "s",
        "1.s",
        "0,5",
        "inf",
        "nan",
    ],
)
def test_what_is_no_duration_is_refused_with_what_to_write(text):
    with pytest.raises(ValueError, match="is not a duration: write 30s, 15m, 6h or 7d"):
        seconds_of(text)


@pytest.mark.parametrize("text", ["999999999w", "999999999d24h", "99999d" * 100_000])
def test_what_outlasts_any_calendar_is_no_duration(text):
    with pytest.raises(ValueError, match="is not a duration"):
        seconds_of(text)


def test_the_longest_is_a_time_span():
    assert timedelta(seconds=seconds_of("999999999d23h59m")) < timedelta.max


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (900, "15m"),
        (90, "90s"),
        (604_800, "1w"),
        (86_400, "1d"),
        (0.5, "0.5s"),
        (0, "0s"),
        (21_600, "6h"),
        (3660, "61m"),
    ],
)
def test_the_shortest_spelling_means_the_same(seconds, text):
    assert short(seconds) == text
    assert seconds_of(text) == seconds
