"""Parse and format durations such as `1h30m`. Pure."""

import re
from datetime import timedelta

LONGEST_S = timedelta.max.total_seconds()

_UNIT_SECONDS = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86_400.0,
    "w": 604_800.0,
}
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_UNIT = r"ms|min|[smhdw]"
_BARE = re.compile(_NUMBER, re.ASCII)
_PART = re.compile(f"({_NUMBER})({_UNIT})", re.ASCII)
_WHOLE = re.compile(f"(?:{_NUMBER}(?:{_UNIT}))+", re.ASCII)


def seconds_of(text: str) -> float:
    """`10s`, `1m`, `1h30m`, `7d`, or a bare number of seconds. Raises ValueError for anything else."""
    compact = "".join(text.lower().split())
    if _BARE.fullmatch(compact):
        return float(compact)
    if _WHOLE.fullmatch(compact):
        seconds = sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _PART.findall(compact))
        if seconds < LONGEST_S:
            return seconds
    raise ValueError(f"{text[:40]!r} is not a duration: write 30s, 15m, 6h or 7d")


def short(seconds: float) -> str:
    """The shortest text that `seconds_of` reads as the same duration: `15m`, `90s`, `7d`, `0.5s`."""
    for unit in ("w", "d", "h", "m"):
        length = _UNIT_SECONDS[unit]
        if seconds >= length and seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"
