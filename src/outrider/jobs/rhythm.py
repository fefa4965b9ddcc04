"""When a recurring job runs next (BAL-04, BAL-05, ADP-07). Pure.

The rhythm of a job is every time that differs from its anchor by a whole number of intervals. A retry, a
forced run and downtime do not move it. A rhythm counts in exact minutes: with an interval of a whole number
of slots, the next slot is the current slot plus interval / 15 minutes, and an interval of 38 minutes is not
rounded to slots.
"""

from datetime import datetime, timedelta

from outrider.jobs.slot_times import SLOT, slot_of, start_of


def next_after(anchor: datetime, interval: timedelta, now: datetime) -> datetime:
    """The first time of the rhythm after `now`. Runs that were missed are not made up for."""
    return anchor + ((now - anchor) // interval + 1) * interval


def next_run_after(
    anchor: datetime, interval: timedelta, started_at: datetime, now: datetime, wait: timedelta | None = None
) -> datetime:
    """The next run of a job whose run began at `started_at` and is over.

    `wait` is the adaptive interval, and the interval itself if None. The next run is the last time of the
    rhythm that is not later than `started_at + wait`. If that is past, it is the first one after `now`. A
    wait that is longer than the interval ends at the start of a slot.
    """
    wait = max(interval, wait or interval)
    at = next_after(anchor, interval, started_at + wait) - interval
    if wait > interval and wait >= SLOT:
        at = start_of(slot_of(at))
    latest = max(now, started_at)  # a clock that was set back does not bring the same run again
    return at if at > latest else next_after(anchor, interval, latest)
