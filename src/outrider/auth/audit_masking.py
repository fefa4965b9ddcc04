"""Masks secrets in what the audit log stores, and bounds its size. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from outrider.masking import MASK, mask_urls

LONGEST_TEXT = 500
LONGEST_NAME = 100
MOST_ITEMS = 50
DEEPEST = 5
LARGEST = 16_384  # bytes of the JSON

_SECRET_NAME = re.compile(
    r"(?i)passw|secret|token|api_?key|^key$|_key$|hash|cookie|authorization|credential|^code$|_code$|jwt"
)
_HARMLESS_NAME = re.compile(r"(?i)^(?:token|session)_(?:id|name)$")
_SECRET_TEXT = re.compile(
    r"\bort_[\w-]{20,}"  # API tokens
    r"|\beyJ[\w-]+\.[\w-]+\.[\w-]*"  # JWTs
    r"|\$argon2\w*\$\S+"
    r"|(?i:\b(?:bearer|basic)\s+[\w.~+/=-]{8,})"
)


def masked(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The same without secrets, by the names of fields and by the look of values; large values are cut."""
    found = {_name(name): _value(name, value, 1) for name, value in _first(changes.items())}
    if len(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")) > LARGEST:
        return {"fields_left_out": sorted(found)[:MOST_ITEMS]}
    return found


def _value(name: str, value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if _SECRET_NAME.search(str(name)) and not _HARMLESS_NAME.match(str(name)):
        return MASK
    if isinstance(value, int | float):
        return value if value == value and abs(value) < 1e300 else str(value)
    if isinstance(value, Mapping):
        if depth >= DEEPEST:
            return "…"
        return {_name(each): _value(each, item, depth + 1) for each, item in _first(value.items())}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes | bytearray):
        return "…" if depth >= DEEPEST else [_value("", item, depth + 1) for item in _first(value)]
    return mask_text(str(value))


def mask_text(text: str) -> str:
    """A text without what looks like a secret, cut to a bounded length."""
    bounded = text[: 4 * LONGEST_TEXT].replace("\x00", "").encode("utf-8", "replace").decode()
    clean = mask_urls(_SECRET_TEXT.sub(MASK, bounded))
    return clean if len(clean) <= LONGEST_TEXT else clean[: LONGEST_TEXT - 1] + "…"


def _name(name: object) -> str:
    return mask_text(str(name))[:LONGEST_NAME]


def _first(items: Any) -> list[Any]:
    return list(items)[:MOST_ITEMS]
