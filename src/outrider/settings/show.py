"""Format a value as the text that would set it: the inverse of `convert`, with secrets masked."""

from datetime import timedelta
from enum import Enum
from typing import Any

from outrider.masking import mask_secret
from outrider.options import Kind

_BYTES = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


def show(value: Any, kind: Kind, *, secret: bool = False) -> str:
    """`value` as text; empty for None and for an empty list."""
    text = _show(value, kind)
    return mask_secret(text) if secret else text


def _show(value: Any, kind: Kind) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case timedelta():
            return _duration(value.total_seconds())
        case Enum():
            return str(value.value)
        case int() | float() if kind == "duration":
            return _duration(value)
        case int() | float() if kind == "milliseconds":
            return _duration(value / 1000)
        case int() | float() if kind == "size":
            return _size(int(value))
        case tuple() | list() | frozenset():
            return ",".join(str(item) for item in value)
        case dict():
            return ",".join(f"{key}={item}" for key, item in value.items())
    return str(value)


def _duration(seconds: float) -> str:
    for unit, length, least in (("d", 86400, 2), ("h", 3600, 1), ("m", 60, 1)):
        if seconds % length == 0 and seconds >= least * length:
            return f"{int(seconds // length)}{unit}"
    if 0 < seconds < 1:
        return f"{seconds * 1000:.6f}".rstrip("0").rstrip(".") + "ms"
    return f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"


def _size(count: int) -> str:
    for unit, length in _BYTES:
        if count and count % length == 0:
            return f"{count // length}{unit}"
    return str(count)
