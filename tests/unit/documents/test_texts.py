"""Texts in parts that fill the blocks of PostgreSQL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.documents.texts import HALF_BLOCK, WHOLE_BLOCK, pieces_of

ROW = (
    24 + 8 + 2 + 4 + 4
)  # the most bytes of a row beside its text: head, two numbers, length, a place in the block
BLOCK = 8192 - 24


@pytest.mark.parametrize(
    ("length", "lengths"),
    [
        (0, [0]),
        (1, [1]),
        (HALF_BLOCK, [HALF_BLOCK]),
        (HALF_BLOCK + 1, [HALF_BLOCK, 1]),
        (WHOLE_BLOCK, [WHOLE_BLOCK]),
        (12_200, [WHOLE_BLOCK, HALF_BLOCK, 100]),
        (2 * WHOLE_BLOCK, [WHOLE_BLOCK, WHOLE_BLOCK]),
    ],
)
def test_a_text_is_cut_into_blocks_and_halves(length, lengths):
    assert [len(piece) for piece in pieces_of(b"x" * length)] == lengths


@given(st.integers(0, 5 * WHOLE_BLOCK))
def test_the_pieces_are_the_text(length):
    text = bytes(number % 251 for number in range(length))

    assert b"".join(pieces_of(text)) == text


def test_parts_fit_their_blocks():
    assert WHOLE_BLOCK + ROW <= BLOCK
    assert 2 * (HALF_BLOCK + ROW) <= BLOCK
