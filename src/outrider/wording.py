"""Format numbers and times for sentences and screens. Pure."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from outrider.frontier.dead_reason import DeadReasonPrefix

_BYTES = ("B", "kB", "MB", "GB", "TB", "PB")
_BLOCKS = "▁▂▃▄▅▆▇█"
_PARTIAL_BLOCKS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_UNIT_SECONDS = {"d": 86_400, "h": 3600, "m": 60}


def count(number: int) -> str:
    """12,345."""
    return f"{number:,}"


def short(number: int) -> str:
    """A count in at most six characters: 99,999, then 123 k, 12.3 M."""
    if number < 100_000:
        return count(number)
    if number < 999_500:
        return f"{number / 1e3:.0f} k"
    return f"{number / 1e6:.1f} M" if number < 99_950_000 else f"{number / 1e6:.0f} M"


def plural(number: int, thing: str, things: str = "") -> str:
    """`1 host`, `2 hosts`."""
    return f"{count(number)} {thing if number == 1 else things or thing + 's'}"


def size(number: float) -> str:
    """12.3 MB: three digits and a decimal unit."""
    unit = 0
    while number >= 999.5 and unit < len(_BYTES) - 1:
        number /= 1000
        unit += 1
    return f"{number:.0f} {_BYTES[unit]}" if unit == 0 or number >= 99.95 else f"{number:.1f} {_BYTES[unit]}"


def rate(per_s: float) -> str:
    """`0.4/s`, `12.3/s`, `1,234/s`."""
    return f"{per_s:,.0f}/s" if per_s >= 99.95 else f"{per_s:.1f}/s"


def clock(seconds: float) -> str:
    """0:01:23."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def span(seconds: float) -> str:
    """How long something takes, roughly: `250 ms`, `1.2 s`, `3 minutes`, `2 hours`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return plural(round(seconds / length), unit)
    raise AssertionError("unreachable: two minutes is the least that gets here")


def when(at: datetime, now: datetime) -> str:
    """`2026-05-01 12:00:03 UTC (4 minutes ago)`, `… (in 20 s)`."""
    seconds = (now - at).total_seconds()
    distance = f"{span(seconds)} ago" if seconds >= 0 else f"in {span(-seconds)}"
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC ({distance})"


def brief(seconds: float) -> str:
    """A duration for a column of a table: `34s`, `15m`, `6h`, `12d`."""
    for unit, length in _UNIT_SECONDS.items():
        if seconds >= 2 * length:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.0f}s"


def pace(delay_s: float) -> str:
    """The request rate of a delay: `1 request/s`, `4 requests/s`, `1 request every 5 s`."""
    if delay_s <= 0:
        return "any number of requests"
    if delay_s > 1:
        return f"1 request every {delay_s:g} s"
    per_s = f"{1 / delay_s:.3g}"
    return f"{per_s} request{'' if per_s == '1' else 's'}/s"


def words(reason: str) -> str:
    """`max_retries:http_503` as a phrase: "http 503, again and again"."""
    if reason.startswith(DeadReasonPrefix.MAX_RETRIES):
        return words(reason.removeprefix(DeadReasonPrefix.MAX_RETRIES)) + ", again and again"
    return reason.replace("_", " ")


def sparkline(values: Sequence[float], width: int) -> str:
    """The last `width` values as a row of blocks; the largest value is a full block."""
    shown = values[-width:]
    top = max(shown, default=0.0)
    if top <= 0:
        return _BLOCKS[0] * len(shown)
    return "".join(_BLOCKS[min(int(value / top * len(_BLOCKS)), len(_BLOCKS) - 1)] for value in shown)


def bar(share: float, width: int) -> str:
    """A bar of up to `width` cells, drawn in eighths of a cell."""
    eighths = math.ceil(max(0.0, min(share, 1.0)) * width * 8)
    return "█" * (eighths // 8) + _PARTIAL_BLOCKS[eighths % 8]
