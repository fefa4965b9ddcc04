"""When an address is checked again. Pure."""

from datetime import datetime, timedelta

from outrider.links.evidence import Judgement, Verdict

WEEKLY_RUN_DAY = 0  # Monday (DLM-07)
WEEKLY_RUN_HOUR = 3
SECOND_CHECK = timedelta(days=1)  # of a failure that may pass (DLM-14)
ONE_CHECK_PER = timedelta(days=1)  # shared by all fields with the same address (DLM-06)


def next_check_at(judgement: Judgement, now: datetime) -> datetime:
    """A doubtful failure is checked again after a day, everything else at the next weekly run."""
    weekly = next_weekly_run(now)
    if judgement.verdict is Verdict.UNCERTAIN and judgement.pending_since is not None:
        return min(now + SECOND_CHECK, weekly) if weekly - now >= SECOND_CHECK else now + SECOND_CHECK
    return weekly


def next_weekly_run(now: datetime) -> datetime:
    """The next Monday at 03:00 UTC that is at least a day away."""
    start = now.replace(hour=WEEKLY_RUN_HOUR, minute=0, second=0, microsecond=0)
    start += timedelta(days=(WEEKLY_RUN_DAY - start.weekday()) % 7)
    while start - now < ONE_CHECK_PER:
        start += timedelta(days=7)
    return start


def is_fresh(checked_at: datetime | None, now: datetime) -> bool:
    """Whether the last check still holds, so that a field that is saved causes none."""
    return checked_at is not None and now - checked_at < ONE_CHECK_PER
