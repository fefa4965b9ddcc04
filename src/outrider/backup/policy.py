"""When a backup is due, how it is named, and which ones are kept. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

RETRY = timedelta(minutes=15)  # after a failed attempt
OVERDUE = timedelta(hours=48)  # one daily backup was missed, and the next one too
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class BackupHistory:
    """The backups of a database, as the database itself recorded them."""

    installed_at: datetime
    good_at: datetime | None = None  # when the newest good backup began
    good_name: str | None = None
    good_bytes: int | None = None
    failed_at: datetime | None = None  # when the newest attempt began, if it failed
    error: str | None = None


@dataclass(frozen=True, slots=True)
class KeptBackup:
    """What decides whether a backup is kept."""

    name: str
    created_at: datetime
    is_good: bool  # its verification succeeded


def next_backup_at(history: BackupHistory, at: time) -> datetime:
    """When the daily backup is due: the first such time after the newest good one, or after the installation.

    The result is in the past if a backup was missed. A failed attempt is repeated after a pause.
    """
    due = _first_after(max(history.installed_at, history.good_at or history.installed_at), at)
    return due if history.failed_at is None else max(due, history.failed_at + RETRY)


def trouble_of(history: BackupHistory, now: datetime, *, is_daily: bool) -> str | None:
    """What is wrong with the backups of a database, as a sentence without its end; None if nothing is."""
    if history.failed_at is not None:
        return f"the last backup failed: {(history.error or 'no reason is known').rstrip('.')}"
    if is_daily and is_overdue(history, now):
        if history.good_at is None:
            return "there is no backup yet, although one is written every day"
        return f"the newest backup is {(now - history.good_at).days} days old"
    return None


def is_overdue(history: BackupHistory, now: datetime) -> bool:
    """Whether daily backups are missing."""
    return now - (history.good_at or history.installed_at) > OVERDUE


def to_remove(backups: Sequence[KeptBackup], now: datetime, kept_days: int) -> list[str]:
    """The names of backups that are too old. The newest good one stays, whatever its age."""
    good = [each for each in backups if each.is_good]
    newest = max(good, key=lambda each: each.created_at).name if good else None
    limit = now - timedelta(days=kept_days)
    return [each.name for each in backups if each.created_at < limit and each.name != newest]


def name_of(created_at: datetime, taken: Collection[str]) -> str:
    """The name of a new backup: `outrider-20260501T020000Z`, with a number if that name is taken."""
    name = f"outrider-{created_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


def _first_after(moment: datetime, at: time) -> datetime:
    moment = moment.astimezone(UTC)
    slot = datetime.combine(moment.date(), at, UTC)
    return slot if slot > moment else slot + _DAY
