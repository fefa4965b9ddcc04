import re
from difflib import SequenceMatcher

import pytest
from selectolax.lexbor import LexborHTMLParser

from outrider.demo.oddities import (
    COPIED,
    HUGE_BYTES,
    HUGE_CHUNK,
    print_version,
    shift_jis,
    tide_tables,
    windows_1252,
    wire_version,
)
from outrider.demo.pages import article
from outrider.demo.stories import story_at


def words(markup):
    """What a reader sees, without the frame."""
    tree = LexborHTMLParser(markup)
    tree.strip_tags(["head", "script", "style", "header", "nav", "footer"])
    return tree.body.text(separator=" ").split()


ORIGINAL = words(article(story_at(COPIED), "http://courier.test"))


def test_the_print_version_is_the_story_word_for_word():
    assert words(print_version()) == ORIGINAL


def test_the_wire_copy_differs_in_a_few_words():
    ratio = SequenceMatcher(None, words(wire_version()), ORIGINAL, autojunk=False).ratio()

    assert 0.95 < ratio < 1


def test_the_undeclared_page_is_windows_1252_and_nothing_says_so():
    body = windows_1252()

    assert "“We kept the recipe dry,”" in body.decode("windows-1252")
    assert b"charset" not in body
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")


def test_the_shift_jis_page_declares_itself_early_enough_to_be_found():
    body = shift_jis()

    assert body.index(b"charset=Shift_JIS") < 1024
    assert "函館からの手紙" in body.decode("shift_jis")


def test_the_pdf_has_its_objects_where_its_table_says():
    document = tide_tables()

    start = int(re.search(rb"startxref\n(\d+)", document).group(1))
    assert document[start:].startswith(b"xref\n0 4\n")
    for number, offset in enumerate(re.findall(rb"(\d{10}) 00000 n", document), start=1):
        assert document[int(offset) :].startswith(b"%d 0 obj" % number)


def test_the_oversize_page_is_over_ten_megabytes_in_modest_pieces():
    assert HUGE_BYTES > 10 * 1024 * 1024
    assert len(HUGE_CHUNK) < 100_000
