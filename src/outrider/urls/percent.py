"""One spelling for percent-escapes: unreserved characters bare, hex digits in upper case."""

import re
from itertools import product
from typing import Final

_HEX: Final = "0123456789ABCDEFabcdef"
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _spelling(digits: str) -> str:
    octet = int(digits, 16)
    return chr(octet) if octet in _UNRESERVED else f"%{octet:02X}"


_SPELLINGS: Final = {f"%{high}{low}": _spelling(high + low) for high, low in product(_HEX, _HEX)}

# The second branch is an escape right behind a `%` that starts none. Decoding it could forge a new
# escape (`%%341` would become `%41`, and that `A` the next time), so it is only upper-cased.
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}|(%[0-9A-Fa-f]?)(%[0-9A-Fa-f]{2})")


def tidy_escapes(text: str) -> str:
    """Decode escapes of unreserved characters and upper-case the others. Other text stays unchanged."""
    return _ESCAPE.sub(_tidy, text)


def _tidy(found: re.Match[str]) -> str:
    stray, escape = found.groups()
    if stray is None:
        return _SPELLINGS[found[0]]
    return f"{stray}{escape.upper()}"
