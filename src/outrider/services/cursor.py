"""Cursors of long lists: the place of the last item of a page, as opaque text for a URL. Pure.

A cursor holds the values that the list is sorted by, so the next page begins behind them, whatever was added
or removed before that place. It is no secret: it holds only values of an item that the reader has seen.
"""

import json
from base64 import b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from outrider.errors import InvalidInput

LONGEST_CURSOR = 8_000  # characters
FIRST_PAGE = "start"  # in place of a cursor: the first page
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1  # of a bigint
_BROKEN = "the cursor cannot be read: use the value of `next` unchanged, or start again without it"


def write_cursor(sort: str, values: Sequence[Any]) -> str:
    """The cursor behind an item with these values, in the list and order that `sort` names."""
    told = [str(value) if isinstance(value, UUID) else value for value in values]
    packed = json.dumps([sort, *told], ensure_ascii=False, separators=(",", ":")).encode()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def read_cursor(cursor: str, sort: str, kinds: Sequence[type]) -> tuple[Any, ...]:
    """The values of a cursor, of these kinds: bool, int, str or UUID.

    Raises InvalidInput if the cursor is broken, or was made for another list or order.
    """
    made_for, *values = _unpacked(cursor)
    if made_for != sort:
        raise InvalidInput("the cursor was made for another list or order: start again without it")
    if len(values) != len(kinds):
        raise InvalidInput(_BROKEN)
    return tuple(_value(value, kind) for value, kind in zip(values, kinds, strict=True))


def _unpacked(cursor: str) -> list[Any]:
    if not cursor.isascii() or len(cursor) > LONGEST_CURSOR:
        raise InvalidInput(_BROKEN)
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        found = json.loads(b64decode(padded, altchars=b"-_", validate=True))
    except (NotBase64, ValueError, RecursionError):
        raise InvalidInput(_BROKEN) from None
    if not isinstance(found, list) or not found:
        raise InvalidInput(_BROKEN)
    return found


def _value(value: Any, kind: type) -> Any:
    if kind is UUID and isinstance(value, str):
        try:
            return UUID(value)
        except ValueError:
            raise InvalidInput(_BROKEN) from None
    if type(value) is not kind:
        raise InvalidInput(_BROKEN)
    if isinstance(value, int) and not _SMALLEST <= value <= _LARGEST:
        raise InvalidInput(_BROKEN)
    if isinstance(value, str) and not _is_storable(value):
        raise InvalidInput(_BROKEN)
    return value


def _is_storable(text: str) -> bool:
    """Whether PostgreSQL takes the text."""
    return "\x00" not in text and not any("\ud800" <= each <= "\udfff" for each in text)
