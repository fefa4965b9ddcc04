"""Short texts, made fit to show."""

import pytest

from outrider.extract.metadata.wording import one_line, printable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  two\n\t words ", "two words"),
        ("a\x00b\x1b[31mc\x9f", "ab[31mc"),
        ("\u202eevil", "evil"),
        ("half \ud800 a pair", "half a pair"),
        ("non\u00a0breaking", "non breaking"),
        ("x" * 50, "x" * 20),
        (" \x00 ", None),
        ("", None),
        (None, None),
    ],
)
def test_one_line_is_folded_clean_and_short(text, expected):
    assert one_line(text, limit=20) == expected


def test_printable_text_keeps_its_lines():
    assert printable("one\n\ttwo\x00\r\n") == "one\n\ttwo\r\n"
