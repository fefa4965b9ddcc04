"""Parse relative times: “3 hours ago”."""

import re
from datetime import datetime, timedelta

MAX_CHARS = 100
_LONGEST = timedelta(days=3660)

_UNITS = {
    "sec": timedelta(seconds=1),
    "sek": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "hr": timedelta(hours=1),
    "stunde": timedelta(hours=1),
    "heure": timedelta(hours=1),
    "hora": timedelta(hours=1),
    "day": timedelta(days=1),
    "tag": timedelta(days=1),
    "jour": timedelta(days=1),
    "día": timedelta(days=1),
    "dia": timedelta(days=1),
    "week": timedelta(weeks=1),
    "woche": timedelta(weeks=1),
    "semaine": timedelta(weeks=1),
    "semana": timedelta(weeks=1),
}
_AGO = re.compile(rf"\b(\d{{1,4}}|an?|one|einer?m?|une?|una?)\s*({'|'.join(_UNITS)})\w*", re.IGNORECASE)
_SAYS_AGO = re.compile(r"\bago\b|\bvor\b|\bil y a\b|\bhace\b|\bhá\b", re.IGNORECASE)


def time_ago(text: str, now: datetime) -> datetime | None:
    """The time of a relative time in the past, or None if the text has none."""
    text = text[:MAX_CHARS]
    found = _AGO.search(text) if _SAYS_AGO.search(text) else None
    if found is None:
        return None
    times = int(found[1]) if found[1].isdigit() else 1
    passed = _UNITS[found[2].lower()] * times
    return now - passed if passed <= _LONGEST else None
