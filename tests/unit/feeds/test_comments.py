"""Comments taken out of a text in pieces."""

import pytest

from outrider.feeds.comments import without_comments

TEXT = "a<!-- b <!-- - -- > c -->d<!---->e<! -- f --><-!g<![CDATA[<!-- h]]>i<!-- <![CDATA[ -->j"
REST = "ade<! -- f --><-!g<![CDATA[<!-- h]]>ij"


@pytest.mark.parametrize("size", range(1, 15))
def test_pieces_of_any_size_lose_the_same_comments(size):
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]

    assert "".join(without_comments(pieces)) == REST


def test_a_comment_that_is_never_closed_goes_on_to_the_end():
    assert "".join(without_comments(["a<!-- b", "c --", "d"])) == "a"


def test_a_cdata_section_that_is_never_closed_loses_nothing():
    assert "".join(without_comments(["<![CDATA[ a<!-- ", "b --", "> c"])) == "<![CDATA[ a<!-- b --> c"


def test_nothing_is_held_back_but_half_a_mark():
    assert len(next(without_comments(["x" * 1_000]))) > 990
