"""Read an interval that a person wrote, such as `6h` (JOB-07). Pure."""

import re

from outrider.errors import InvalidInput
from outrider.jobs.model import Interval, Unit
from outrider.jobs.schedule import read_interval

LONGEST_TEXT = 40

_UNITS = {
    Unit.MINUTES: ("m", "min", "minute", "minutes"),
    Unit.HOURS: ("h", "hour", "hours"),
    Unit.DAYS: ("d", "day", "days"),
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names}
_FORM = re.compile(r"([+-]?\d{1,12})([.,]\d*)?\s*([a-z]*)", re.ASCII)


def read_every(text: str) -> Interval:
    """`30m`, `6h` and `2d`; the unit stays as it was written. Raises InvalidInput."""
    shown = f"{text[:LONGEST_TEXT]!r}"
    found = _FORM.fullmatch(text.strip().lower()[: LONGEST_TEXT + 1])
    if found is None or (found[3] and found[3] not in _UNIT_OF):
        raise InvalidInput(f"{shown} is not an interval: write 30m, 6h or 2d")
    number, fraction, unit = found.groups()
    if not unit:
        raise InvalidInput(f"the interval {shown} has no unit: write 30m, 6h or 2d")
    if fraction:
        raise InvalidInput(f"the interval {shown} is not a whole number: write 90m instead of 1.5h")
    return _checked(int(number), _UNIT_OF[unit])


def _checked(count: int, unit: Unit) -> Interval:
    every = read_interval(count, unit, schedule_enabled=True)
    assert every is not None, "an interval with a count is never None"
    return every
