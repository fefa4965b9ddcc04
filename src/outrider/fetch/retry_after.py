"""Parse the Retry-After header."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,300}(\.[0-9]{1,9})?")
_LONGEST_DATE = 64


def retry_after(value: str | None, now: datetime, ceiling_s: float) -> float | None:
    """Seconds to wait by a Retry-After header, in either form; None if it is missing or not valid.

    A server with a wrong clock can ask for years, so the wait is capped. A time in the past and a
    negative number mean no wait.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), ceiling_s)
    at = _date(text)
    if at is None or at <= now:
        return None
    return min((at - now).total_seconds(), ceiling_s)


def _date(text: str) -> datetime | None:
    if not text or len(text) > _LONGEST_DATE:
        return None
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
