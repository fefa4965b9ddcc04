"""Text and links come out of storage as they went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.documents.packing import pack, pack_links, unpack, unpack_links
from outrider.hrefs import Hrefs

# Line breaks and tabs are left out, as by the URL standard; no page has a zero in a link.
HREFS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\t\r"), min_size=1, max_size=40
)


@given(st.text())
def test_text_survives(text):
    assert unpack(pack(text)) == text


@pytest.mark.parametrize("text", ["", "\ud800 alone", "ä" * 100_000])
def test_odd_text_survives_too(text):
    assert unpack(pack(text)) == text


def test_what_is_not_there_is_empty():
    assert unpack(None) == ""
    assert list(unpack_links(None)) == []


@given(st.dictionaries(HREFS, st.booleans(), max_size=20))
def test_links_survive_in_order_with_their_nofollow(links):
    assert list(unpack_links(pack_links(Hrefs.of(links)))) == list(links.items())


def test_line_breaks_and_tabs_within_a_link_mean_nothing():
    links = Hrefs.of({"/a\nb": False, "/c\t\rd": True, "/e": False})

    assert list(unpack_links(pack_links(links))) == [("/ab", False), ("/cd", True), ("/e", False)]


def test_what_is_packed_does_not_depend_on_what_was_packed_before():
    first = pack("some text")
    pack("another text, longer than the first")

    assert pack("some text") == first
