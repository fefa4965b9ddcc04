"""Durations as people write them."""

import pytest

from outrider.sources.durations import seconds_of, short


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10),
        ("1m", 60),
        ("5", 5),
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("15 min", 900),
        ("1h30m", 5400),
        ("7d", 604_800),
        ("2W", 1_209_600),
        ("500ms", 0.5),
        ("0", 0),
    ],
)
def test_a_duration_in_seconds(text, seconds):
    assert seconds_of(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "soon", "-5", "1x", "10 s later", "1e9", "9" * 10, "٣s", "s", "1.s", "inf", "nan"]
)
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(ValueError, match="is no duration"):
        seconds_of(text)


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
