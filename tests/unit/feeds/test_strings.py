"""Text fit to be stored."""

import pytest

from outrider.feeds.strings import clean, line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("bell\x07 nul\x00", "bell nul"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("half \ud83d a pair", "half  a pair"),
        ("don\x92t", "don’t"),
        ("not\ufffea character", "nota character"),
    ],
)
def test_control_characters_go(text, expected):
    assert clean(text) == expected


def test_a_line_has_single_spaces_and_an_end():
    assert line("  one\n\ttwo  ", 100) == "one two"
    assert line("word " * 1000, 12) == "word word wo"
    assert line(" \n ", 10) is None
    assert line(None, 10) is None
