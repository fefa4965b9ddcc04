"""Elements that should hold a few words."""

import pytest

from outrider.extract.tree.parse import parse
from outrider.extract.tree.short_text import short_text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>by <b>Ann</b>\n Lee</p>", "by Ann Lee"),
        ("<p>one<br>two</p>", "one two"),
        ("<p></p>", ""),
        ("<p>" + "x" * 20, "x" * 20),
        ("<p>" + "x" * 21, None),
        ("<p>" + "word " * 1000, None),
        ("<p>" + "<i></i>" * 1000 + "word", None),
    ],
)
def test_a_line_or_nothing(html, expected):
    assert short_text(parse(html.encode()).css_first("p"), limit=20) == expected
