"""Times and ages as people type them. Pure."""

import re
from datetime import UTC, datetime, timedelta

from outrider.errors import InvalidInput

_AGE = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smhdw]?)")
_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def seconds_of(age: str) -> float:
    """What `12h`, `7d` or `90` (seconds) means; ValueError when it means nothing."""
    found = _AGE.fullmatch(age.strip().lower())
    if found is None:
        raise ValueError(f"{age!r} is not an age: write 30m, 12h, 7d or 2w")
    return float(found[1]) * _UNIT_SECONDS[found[2]]


def time_of(text: str, now: datetime) -> datetime:
    """A date, a time or an age; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(text)
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    except ValueError:
        pass
    try:
        return now - timedelta(seconds=seconds_of(text))
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"--since {text!r} is neither a time such as 2026-05-01T12:00 nor an age such as 7d"
        ) from None
