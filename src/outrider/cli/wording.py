"""Numbers as people say them. Pure."""

from datetime import datetime

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def plural(count: int, noun: str) -> str:
    """`1 page`, `1,204 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count: int) -> str:
    """`512 B`, `31 kB`, `1.2 GB`: in thousands, as networks and disks are sold."""
    amount, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if abs(amount) < 999.5:
            break
        amount /= 1_000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"


def duration(seconds: float) -> str:
    """`182 ms`, `4.2 s`, `3 min`, `2 h 5 min`, `4 d 3 h`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 99.5:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    for place, (length, unit) in enumerate(_UNITS):
        if seconds >= length:
            whole, rest = divmod(round(seconds), length)
            below = _UNITS[place + 1 : place + 2]
            part = f" {rest // below[0][0]} {below[0][1]}" if below and rest >= below[0][0] else ""
            return f"{whole} {unit}{part}"
    return f"{seconds:.0f} s"


def when(at: datetime, now: datetime) -> str:
    """`2026-05-01 12:00:03 (4 min ago)`, `… (in 20 s)`."""
    seconds = (now - at).total_seconds()
    distance = f"{duration(seconds)} ago" if seconds >= 0 else f"in {duration(-seconds)}"
    return f"{at:%Y-%m-%d %H:%M:%S} ({distance})"
