"""Text fit to be stored."""

import pytest

from outrider.feeds.strings import clean, line, unescaped


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fish & Chips &amp; more &lt;3", "Fish & Chips & more <3"),
        ("&#65;&#x42;&eacute;&apos;", "ABé'"),
        ("?page=1&copy=2&lt=3&amp;reg=4", "?page=1&copy=2&lt=3&reg=4"),
        ("&lang;&rang;", "\u2329\u232a"),
        ("&unheardof; &notit; &; &#; &#99999999;", "&unheardof; &notit; &; &#; \ufffd"),
        ("&" * 50_000, "&" * 50_000),
    ],
)
def test_references_are_resolved_where_they_are_whole(text, expected):
    assert unescaped(text) == expected


def test_a_line_has_single_spaces_and_an_end():
    assert line("  one\n\ttwo  ", 100) == "one two"
    assert line("word " * 1000, 12) == "word word wo"
    assert line(" \n ", 10) is None
    assert line(None, 10) is None
