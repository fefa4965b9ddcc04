"""Durations as people write them, and as we write them back. Pure."""

import re

_UNIT_SECONDS = {
    "": 1.0,
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86_400.0,
    "w": 604_800.0,
}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|min|[smhdw])", re.ASCII)
_WHOLE = re.compile(r"(?:\d{1,9}(?:\.\d{1,6})?(?:ms|min|[smhdw]))+", re.ASCII)
_BARE = re.compile(r"\d{1,9}(?:\.\d{1,6})?", re.ASCII)


def seconds_of(text: str) -> float:
    """`10s`, `1m`, `1h30m`, `7d`, or a bare number of seconds; ValueError when it means nothing."""
    compact = "".join(text.lower().split()).replace(",", ".")
    if _BARE.fullmatch(compact):
        return float(compact)
    if not _WHOLE.fullmatch(compact):
        raise ValueError(f"{text[:40]!r} is no duration")
    return sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _PART.findall(compact))


def short(seconds: float) -> str:
    """The shortest spelling that reads back as the same: `15m`, `90s`, `7d`, `0.5s`."""
    for unit in ("w", "d", "h", "m"):
        length = _UNIT_SECONDS[unit]
        if seconds >= length and seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"
