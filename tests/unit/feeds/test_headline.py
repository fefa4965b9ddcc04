"""What to call an entry without a title."""

import pytest

from outrider.feeds.headline import headline

URL = "https://site.example/1"


@pytest.mark.parametrize(
    ("summary", "content", "name"),
    [
        ("<p>A short <b>note</b></p>", "<p>Long</p>", "A short note"),
        (None, "<p>AT&amp;T\n said</p>", "AT&T said"),
        ("<img src='x' />", None, URL),
        (None, None, URL),
        (None, "1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
        ("a" * 200, None, "a" * 100 + "…"),
        ("<code>&lt;script&gt;</code>", None, "&lt;script&gt;"),
    ],
)
def test_the_start_of_the_text_or_the_address(summary, content, name):
    assert headline(summary, content, URL) == name
