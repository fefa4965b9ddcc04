"""Cursors are opaque, bounded, and refused when they are broken or belong elsewhere."""

import json
import re
from base64 import urlsafe_b64encode
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.services.cursor import LONGEST_CURSOR, read_cursor, write_cursor

KINDS = (int, bool, str, UUID)
BIGINTS = st.integers(-(1 << 63), (1 << 63) - 1)
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=1_000)


def _packed(*values):
    return urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


@given(BIGINTS, st.booleans(), TEXTS, st.uuids())
def test_a_cursor_gives_back_its_values_and_fits_into_an_address(number, flag, text, key):
    cursor = write_cursor("urls priority", (number, flag, text, key))

    assert read_cursor(cursor, "urls priority", KINDS) == (number, flag, text, key)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", cursor)
    assert len(cursor) <= LONGEST_CURSOR


def test_a_cursor_of_another_order_is_refused():
    cursor = write_cursor("urls priority", (1,))

    with pytest.raises(InvalidInput, match="made for another list or order"):
        read_cursor(cursor, "urls next", (int,))


@pytest.mark.parametrize(
    "cursor",
    [
        pytest.param("", id="empty"),
        pytest.param("!!!", id="no base64"),
        pytest.param("ünicode", id="not ASCII"),
        pytest.param("AAAA", id="no JSON"),
        pytest.param(_packed(), id="no name"),
        pytest.param(_packed("s"), id="too few values"),
        pytest.param(_packed("s", 1, 2), id="too many values"),
        pytest.param(_packed("s", "1"), id="another type"),
        pytest.param(_packed("s", True), id="a truth value is no number"),
        pytest.param(_packed("s", 1 << 63), id="too large for the database"),
        pytest.param(_packed("s", 1) + "A" * LONGEST_CURSOR, id="too long"),
        pytest.param(urlsafe_b64encode(b"[" * 6_000).decode().rstrip("="), id="nested"),
        pytest.param(urlsafe_b64encode(b'{"s":1}').decode().rstrip("="), id="no list"),
    ],
)
def test_a_broken_cursor_is_refused_with_what_to_do(cursor):
    with pytest.raises(InvalidInput, match="the cursor cannot be read: use the value of `next` unchanged"):
        read_cursor(cursor, "s", (int,))


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_a_text_that_the_database_cannot_take_is_refused(text):
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_cursor(_packed("s", text), "s", (str,))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    with pytest.raises(InvalidInput):
        read_cursor(text, "s", (int, UUID))
