"""The update intervals in a feed: `ttl`, `skipHours`, `skipDays` and the syndication module."""

from outrider.feeds.markup import Element
from outrider.feeds.model import UpdateHints
from outrider.feeds.values import text_of

_PERIODS = {"hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LONGEST_TTL = 525_600  # a year of minutes


def rhythm_of(channel: Element) -> UpdateHints:
    return UpdateHints(
        ttl_minutes=_number(channel.first("ttl"), _LONGEST_TTL),
        skip_hours=_skip_hours(channel.first("skiphours")),
        skip_days=_skip_days(channel.first("skipdays")),
        update_period_s=_update_period(channel),
    )


def _update_period(channel: Element) -> int | None:
    period = channel.first("sy:updateperiod")
    frequency = _number(channel.first("sy:updatefrequency"), 1_000_000)
    if period is None and frequency is None:
        return None
    seconds = _PERIODS.get(text_of(period).lower() if period else "daily")
    return None if seconds is None else max(1, seconds // (frequency or 1))


def _skip_hours(element: Element | None) -> frozenset[int]:
    if element is None:
        return frozenset()
    hours = (_number(hour, 24) for hour in element.all("hour"))
    # RSS 0.91 counts from 1 to 24, later versions from 0 to 23.
    return frozenset(hour % 24 for hour in hours if hour is not None)


def _skip_days(element: Element | None) -> frozenset[int]:
    if element is None:
        return frozenset()
    days = (text_of(day).lower() for day in element.all("day"))
    return frozenset(_DAYS.index(day) for day in days if day in _DAYS)


def _number(element: Element | None, largest: int) -> int | None:
    text = text_of(element) if element is not None else ""
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= largest else None
    )
