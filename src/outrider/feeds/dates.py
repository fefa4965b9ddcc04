"""Reads the dates of feeds: standard formats, common deviations, and a dozen languages.

There are three shapes. A bare number is seconds since 1970. A text that starts with a year is ISO 8601 or a
variant. Any other text is words and numbers: the time and the zone are removed first, and the rest must name
a month or consist of three numbers. The weekday is ignored, because it is wrong too often.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from outrider.feeds.months import month_number
from outrider.feeds.zones import zone_of

MAX_CHARS = 120

_MAIL = re.compile(
    r"(?:[A-Z][a-z]{2}, )?(\d\d) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-]\d{4}|GMT)",
    re.ASCII,
)
_EPOCH = re.compile(r"(\d{9,10})(?:\.\d+)?|(\d{12,13})")
_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,]\d{1,9})?)?(?![\d:])|h(\d{2})\b|(?=\s*[ap]\.?m\b))"
    r"(?:\s*([ap])\.?\s?m\b\.?)?",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"\s*((?:gmt|utc)?\s?[+-]\d{1,2}:?(?:\d{2})?z?(?![\d:])|[A-Za-z]+(?:/[A-Za-z_+\-0-9]+)*)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(r"(\d{4})(?:([-/.])(\d{1,3}|[^\W\d]+)\.?(?:\2(\d{1,2}))?)?(?![\d-]|[^\W\dtT])")
_COMPACT = re.compile(
    r"(\d{4})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2})?)?(z|[+-]\d{2}:?\d{2})?", re.IGNORECASE
)
_ORDINAL = re.compile(r"(\d{4}|\d{2})-?(\d{3})")
_SHORT_YEAR_FIRST = re.compile(r"(\d{2})-(\d{2})-(\d{2})|(\d{2})(\d{2})(\d{2})|-(\d{2})-?(\d{2})")
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_NUMBERS = re.compile(r"(?<![\d/.-])(\d{1,2})([/.\s-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d-]|[/.]\d)")
_DAY_THEN_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|ª|º|\.)?[\s,/-]*(?:de\s|of\s)?\s*([^\W\d]{3,12})\.?", re.IGNORECASE
)
_MONTH_THEN_DAY = re.compile(r"([^\W\d]{3,12})\.?[\s,/-]*(\d{1,2})(?:st|nd|rd|th)?(?!\d)", re.IGNORECASE)
_MONTH_THEN_YEAR = re.compile(r"([^\W\d]{3,12})\.?,?\s+(?:de\s+)?(\d{4})(?!\d)")
_OFFSET = re.compile(r"\s*(?:gmt|utc)?\s?[+-]\d{2}:?\d{2}\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_SHORT_YEAR = re.compile(r"(?<!\d)'?(\d{2})(?!\d)")
_AFTERNOON = re.compile(r"오후|午後|下午")
_FORENOON = re.compile(r"오전|午前|上午")
_KOREA = timezone(timedelta(hours=9))


def read_date(text: str | None) -> datetime | None:
    """The time in `text`, in UTC, or None. A time without a zone counts as UTC."""
    if not text or not (text := text[:MAX_CHARS].strip()):
        return None
    try:
        found = _read(text)
        # Some programs write the year 1 for a missing date.
        return found.astimezone(UTC) if found is not None and found.year > 1 else None
    except (ValueError, OverflowError):
        return None


def _read(text: str) -> datetime | None:
    if text[4:5] == "-" and text[10:11] in ("", "T", " ") and (standard := _standard(text)):
        return standard
    if moment := _as_in_mail(text):
        return moment
    if epoch := _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(epoch[1]) if epoch[1] else int(epoch[2]) / 1000, UTC)
    if compact := _COMPACT.fullmatch(text):
        year, month, day, hour, minute, second, zone = compact.groups()
        moment = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
        return moment.replace(tzinfo=zone_of(zone) if zone else UTC)
    if day := _numbered_day(text):
        return day
    day, rest = _calendar_day(text)
    if day is None:
        return None
    clock = _clock_in(rest)
    if clock is None:
        return None
    since_midnight, zone = clock
    return (day + since_midnight).replace(tzinfo=zone or day.tzinfo)


def _standard(text: str) -> datetime | None:
    """The formats that Python reads itself: most dates, in the fastest way."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _as_in_mail(text: str) -> datetime | None:
    """The format of nearly every RSS feed, as a shortcut. The general rules give the same result."""
    found = _MAIL.fullmatch(text)
    if found is None:
        return None
    day, month_name, year, hour, minute, second, zone_name = found.groups()
    month, zone = month_number(month_name.lower()), zone_of(zone_name)
    if month is None or zone is None:
        return None
    return datetime(int(year), month, int(day), int(hour), int(minute), int(second), tzinfo=zone)


def _numbered_day(text: str) -> datetime | None:
    """ISO 8601 without separators, with a two-digit year, or with the day of the year."""
    if ordinal := _ORDINAL.fullmatch(text):
        first = datetime(_full_year(ordinal[1]), 1, 1, tzinfo=UTC)
        return first + timedelta(days=int(ordinal[2]) - 1) if 1 <= int(ordinal[2]) <= 366 else None
    if short := _SHORT_YEAR_FIRST.fullmatch(text):
        year, month, *day = [part for part in short.groups() if part]
        return datetime(_full_year(year), int(month), int(day[0]) if day else 1, tzinfo=UTC)
    return None


def _calendar_day(text: str) -> tuple[datetime | None, str]:
    """Midnight of the day in the text, and the text without the day."""
    if found := _CJK.search(text):
        zone = _KOREA if "년" in found[0] else UTC
        return _day(found[1], found[2], found[3], zone), _without(text, found)
    if found := _year_first(text):
        month = found[3] or "1"
        number = int(month) if month.isdigit() else month_number(month.lower())
        rest = _without(text, found)
        if number is None:
            return None, rest
        zone = _KOREA if "오" in rest else UTC
        return _day(found[1], number, found[4] or 1, zone), rest
    around = _without_clock(text)
    if named := _named_day(around):
        return named, text
    if found := _NUMBERS.search(around):
        return _from_numbers(found), _without(text, found)
    return None, text


def _year_first(text: str) -> re.Match[str] | None:
    found = _YEAR_FIRST.search(text)
    return found if found and (found[2] or found.span() == (0, len(text))) else None


def _named_day(text: str) -> datetime | None:
    """A day whose month is a word. The word next to the day is the month: "mar" is also a Tuesday."""
    for found in _DAY_THEN_MONTH.finditer(text):
        if month := month_number(found[2].lower()):
            return _with_year(text, found, month, found[1])
    for found in _MONTH_THEN_DAY.finditer(text):
        if month := month_number(found[1].lower()):
            return _with_year(text, found, month, found[2])
    for found in _MONTH_THEN_YEAR.finditer(text):
        if month := month_number(found[1].lower()):
            return _day(found[2], month, 1)
    return None


def _with_year(text: str, found: re.Match[str], month: int, day: str) -> datetime | None:
    rest = text[found.end() :]
    year = _YEAR.search(rest) or _SHORT_YEAR.search(rest) or _YEAR.search(text[: found.start()])
    return _day(year[1], month, day) if year else None


def _from_numbers(found: re.Match[str]) -> datetime | None:
    """Read the day first. Between slashes, read the month first if it is at most 12."""
    first, second = int(found[1]), int(found[3])
    if second > 12 or (found[2] == "/" and first <= 12):
        first, second = second, first
    return _day(found[4], second, first)


def _clock_in(text: str) -> tuple[timedelta, tzinfo | None] | None:
    """The time since midnight and the zone in a text; None if the time is impossible."""
    clock = _CLOCK.search(text)
    if clock is None:
        return None if re.search(r"\d:", text) else (timedelta(0), _zone_after(text, 0))
    hours, minutes, seconds = int(clock[1]), int(clock[2] or clock[4] or 0), int(clock[3] or 0)
    half = (clock[5] or "").lower()
    if half or _AFTERNOON.search(text) or _FORENOON.search(text):
        hours = hours % 12 + (12 if half == "p" or _AFTERNOON.search(text) else 0)
    if hours > 24 or minutes > 59 or seconds > 60:
        return None
    rest = text[clock.end() :]
    if re.match(r"\s*(?:[+-]\D|[+-]\d+:\D|:)", rest):
        return None
    return timedelta(hours=hours, minutes=minutes, seconds=seconds), _zone_after(text, clock.end())


def _zone_after(text: str, at: int) -> tzinfo | None:
    for found in _ZONE.finditer(text, at):
        if zone := zone_of(re.sub(r"\s", "", found[1])):
            return zone
    return None


def _day(year: str, month: str | int, day: str | int, zone: tzinfo = UTC) -> datetime | None:
    return datetime(_full_year(year), int(month), int(day), tzinfo=zone)


def _full_year(written: str) -> int:
    year = int(written)
    return year if len(written) > 2 else year + (2000 if year < 69 else 1900)


def _without_clock(text: str) -> str:
    clock = _CLOCK.search(text)
    if clock is None:
        return text
    offset = _OFFSET.match(text, clock.end())
    return f"{text[: clock.start()]} {text[offset.end() if offset else clock.end() :]}"


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"
