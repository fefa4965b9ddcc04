"""Positions are one text each, go through it unchanged, and are ordered as events are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.events.position import Position

positions = st.builds(Position, st.just("0123abcd"), st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))


@given(positions)
def test_a_position_survives_its_text(position):
    assert Position.parse(str(position)) == position


@given(positions, positions)
def test_positions_of_one_history_are_ordered_by_transaction_then_number(one, other):
    assert (one < other) == ((one.xid, one.number) < (other.xid, other.number))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "0123abcd.1",
        "0123abcd.1.2.3",
        "0123ABCD.1.2",
        "0123abcd.-1.2",
        "0123abcd.01.2",
        "0123abcd.1.2\n",
        "0123abcd.١.2",
        f"0123abcd.{2**64}.1",
        f"0123abcd.1.{2**63}",
        "0123abcd." + "9" * 100_000 + ".1",
    ],
)
def test_any_other_text_is_refused_in_a_short_sentence(text):
    with pytest.raises(InvalidInput, match="is not a position") as refused:
        Position.parse(text)
    assert len(str(refused.value)) < 200
