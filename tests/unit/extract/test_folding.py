"""White space in the text of a page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.extract import scan
from outrider.extract.article.quality import count_words
from outrider.extract.folding import END_OF_LINE, folded

pytestmark = pytest.mark.usefixtures("each_scan")

TAGS = ("b", "span", "a", "p", "div", "li", "pre", "nav", "td", "br", "math", "script", "x-y")
PIECES = st.sampled_from(
    [f"<{tag}>" for tag in TAGS]
    + [f"</{tag}>" for tag in TAGS]
    + [
        "<!-- -->",
        "word",
        "two words",
        " ",
        "\n",
        "\t ",
        "  ",
        "&nbsp;",
        "\u3000",
        "\x1f",
        "\u2028",
        "é",
        "\0",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join))
@settings(max_examples=300, deadline=None)
def test_single_spaces_and_line_breaks_are_all_the_white_space_in_the_text_of_a_page(html):
    page = scan(html.encode(), "https://example.com/")

    assert page.text.replace("\n", " ") == " ".join(page.text.split())
    assert "\n\n" not in page.text
    assert page.words == count_words(page.text)


def test_a_text_that_needs_no_folding_is_only_cut_into_its_lines():
    assert folded(f"one two{END_OF_LINE}three", 100) == ("one two\nthree", 3)


def test_runs_of_white_space_become_one_space_and_empty_lines_vanish():
    raw = f"{END_OF_LINE}one \n two{END_OF_LINE} {END_OF_LINE}three\u00a0\u00a0four{END_OF_LINE}"

    assert folded(raw, 100) == ("one two\nthree four", 4)


@pytest.mark.parametrize(
    "space", ["  ", "\t", "\n", "\x1f"], ids=["two spaces", "tab", "line break", "separator"]
)
def test_plain_text_is_folded_as_well(space):
    """A text that needs no folding is recognised by its characters: one such run is enough to need it."""
    assert folded(f"one{space}two", 100) == ("one two", 2)


def test_the_words_of_a_text_that_is_cut_are_those_that_are_left():
    assert folded("one two three", 8) == ("one two", 2)
    assert folded("", 8) == ("", 0)
