"""Slots of 15 minutes and their numbers (BAL-01). Pure."""

from datetime import UTC, datetime, timedelta

SLOT_S = 900
DAY_S = 86_400
SLOT = timedelta(seconds=SLOT_S)


def slot_of(at: datetime) -> int:
    """The number of the slot of a time: epoch seconds div 900, in UTC."""
    return int(at.timestamp() // SLOT_S)


def start_of(slot: int) -> datetime:
    """When a slot starts."""
    return datetime.fromtimestamp(slot * SLOT_S, UTC)


def first_free_slot(now: datetime) -> int:
    """The first slot that starts at `now` or later: the earliest in which a job can be placed."""
    return -int(-now.timestamp() // SLOT_S)
