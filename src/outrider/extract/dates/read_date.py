"""Read one date the way people and programs write them. A date without its day is no date here."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
MAX_CHARS = 200

_CLOCK = (
    r"(?:[T\s,]+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?"
    r"\s*([ap]\.?m\b)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_YEAR_FIRST = re.compile(rf"(?<!\d)(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}})(?!\d){_CLOCK}", re.IGNORECASE)
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?(?!\d)")
_DAY_OR_MONTH_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}})(?!\d){_CLOCK}", re.IGNORECASE
)
_NAMED_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+|of\s+)?([^\W\d_]{{3,12}})\.?,?[\s-]+(?:de\s+|del\s+)?(\d{{4}})(?!\d){_CLOCK}",
    re.IGNORECASE,
)
_NAMED_MONTH_FIRST = re.compile(
    rf"(?<![^\W\d_])([^\W\d_]{{3,12}})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})(?!\d){_CLOCK}",
    re.IGNORECASE,
)
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_EPOCH = re.compile(r"\s*(\d{10})(\d{3})?\s*")

_MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar januari janvier enero gennaio janeiro января stycznia",
            "feb february februar februari février fevrier febrero febbraio fevereiro февраля lutego",
            "mar march märz maerz maart mars marzo março marco марта marca",
            "apr april avril abril aprile апреля kwietnia",
            "may mai mei mayo maggio maio мая maja",
            "jun june juni juin junio giugno junho июня czerwca",
            "jul july juli juillet julio luglio julho июля lipca",
            "aug august augustus augusti août aout agosto августа sierpnia",
            "sep sept september septembre septiembre settembre setembro сентября września",
            "oct okt october oktober octobre octubre ottobre outubro октября października",
            "nov november novembre noviembre novembro ноября listopada",
            "dec dez december dezember décembre decembre diciembre dicembre dezembro декабря grudnia",
        ),
        start=1,
    )
    for name in names.split()
}


def read_date(text: str | None, now: datetime, day_first: bool = False) -> datetime | None:
    """The first date in `text`, or None. It keeps the zone it was written in, so that its day stays the day
    people read; without one it is taken as UTC. What lies before the web or after tomorrow is dropped.

    `day_first` settles 03/04/2024, which is April to most of the world and March to the rest.
    """
    if not text:
        return None
    text = text[:MAX_CHARS]
    found = _read(text, day_first)
    return found if found is not None and EARLIEST <= found <= now + timedelta(days=2) else None


def _read(text: str, day_first: bool) -> datetime | None:
    if m := _YEAR_FIRST.search(text):
        return _moment(m[1], m[3], m[4], *m.groups()[4:])
    if (m := _NAMED_MONTH_FIRST.search(text)) and (month := _MONTHS.get(m[1].lower())):
        return _moment(m[3], month, m[2], *m.groups()[3:])
    if (m := _NAMED_DAY_FIRST.search(text)) and (month := _MONTHS.get(m[2].lower())):
        return _moment(m[3], month, m[1], *m.groups()[3:])
    if m := _DAY_OR_MONTH_FIRST.search(text):
        first, second = int(m[1]), int(m[3])
        if second > 12 or (first <= 12 and not day_first and m[2] != "."):
            first, second = second, first
        return _moment(m[4], second, first, *m.groups()[4:])
    if m := _CJK.search(text):
        return _moment(m[1], m[2], m[3])
    if m := _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(m[1]), UTC)
    if m := _COMPACT.search(text):
        return _moment(m[1], m[2], m[3], m[4], m[5], m[6], None, m[7])
    return None


def _moment(
    year: str,
    month: str | int,
    day: str | int,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    half: str | None = None,
    zone: str | None = None,
) -> datetime | None:
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    try:
        return datetime(
            int(year), int(month), int(day), hours, int(minute or 0), int(second or 0), tzinfo=_zone(zone)
        )
    except ValueError:
        return None


def _zone(written: str | None) -> timezone:
    if not written or written[0] not in "+-":
        return UTC
    offset = timedelta(hours=int(written[1:3]), minutes=int(written[-2:]))
    return timezone(-offset if written[0] == "-" else offset)
