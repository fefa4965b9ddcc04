"""Parse times and ages of options. Pure."""

from datetime import UTC, datetime, timedelta

from outrider.durations import seconds_of
from outrider.errors import InvalidInput


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
