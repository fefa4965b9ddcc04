"""The UTC offsets of time zones in dates."""

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_HOURS = {
    "z ut utc gmt wet egst": 0,
    "bst west cet met mez wat": 1,
    "cest mest mesz eet sast cat": 2,
    "eest msk eat trt ast3": 3,
    "msd gst": 4,
    "pkt uzt yekt": 5,
    "ist": 5.5,
    "npt": 5.75,
    "bdt": 6,
    "ict wib krat": 7,
    "sgt hkt awst myt pht wita": 8,
    "jst kst wit": 9,
    "acst": 9.5,
    "aest": 10,
    "acdt": 10.5,
    "aedt": 11,
    "nzst": 12,
    "nzdt": 13,
    "hst": -10,
    "akst": -9,
    "akdt pst pt": -8,
    "pdt mst mt": -7,
    "mdt cst ct": -6,
    "cdt est et": -5,
    "edt ast at clt": -4,
    "nst": -3.5,
    "adt brt art clst": -3,
    "ndt": -2.5,
}
_NAMED = {name: timezone(timedelta(hours=hours)) for names, hours in _HOURS.items() for name in names.split()}
_NUMERIC = re.compile(r"(?:gmt|utc|z)?([+-])(\d{1,2}):?(\d{2})?z?", re.IGNORECASE)
_REGION = re.compile(r"[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_+\-0-9]*){1,2}")


def zone_of(written: str) -> tzinfo | None:
    """The zone of `+0200`, `GMT-7`, `EST` or `Europe/Brussels`; None if it is unknown."""
    if named := _NAMED.get(written.lower()):
        return named
    if numeric := _NUMERIC.fullmatch(written):
        hours, minutes = int(numeric[2]), int(numeric[3] or 0)
        if hours > 15 or minutes > 59:
            return None
        offset = timedelta(hours=hours, minutes=minutes)
        return timezone(-offset if numeric[1] == "-" else offset)
    return _region(written) if len(written) < 50 and _REGION.fullmatch(written) else None


@lru_cache(maxsize=256)
def _region(name: str) -> tzinfo | None:
    if name.startswith("Etc/"):
        return UTC if name in ("Etc/GMT", "Etc/UTC") else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
