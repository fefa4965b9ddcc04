"""Settings of backups."""

from dataclasses import dataclass, field
from datetime import time
from enum import StrEnum
from pathlib import Path

from outrider.options import setting


class DailyBackup(StrEnum):
    """Whether the leading scheduler writes a backup every day."""

    EMBEDDED = "embedded"  # only of an embedded database
    ON = "on"
    OFF = "off"


def _time_of_day(text: str) -> time:
    try:
        found = time.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("give a time of day such as 02:00") from None
    if found.tzinfo is not None:
        raise ValueError("give the time in UTC, without an offset, such as 02:00")
    return found.replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class BackupOptions:
    """Settings of backups."""

    folder: Path | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_BACKUP_DIR",
            "Where backups are written; without it, the folder `backups` in the data directory.",
        ),
    )
    daily: DailyBackup = field(
        default=DailyBackup.EMBEDDED,
        metadata=setting(
            "OUTRIDER_BACKUP_DAILY",
            "Whether the leading scheduler writes a backup every day; `embedded`: only of an embedded "
            "database.",
        ),
    )
    at: time = field(
        default=time(2),
        metadata=setting(
            "OUTRIDER_BACKUP_AT",
            "When the daily backup is written, in UTC; a missed one is written later.",
            kind="text",
            parse=_time_of_day,
        ),
    )
    kept_days: int = field(
        default=7,
        metadata=setting(
            "OUTRIDER_BACKUP_DAYS",
            "How many days backups are kept; the newest good one is always kept.",
            least=1,
            most=3650,
        ),
    )

    def is_daily(self, *, is_embedded: bool) -> bool:
        """Whether the leading scheduler writes backups of this database."""
        return self.daily is DailyBackup.ON or (self.daily is DailyBackup.EMBEDDED and is_embedded)

    def folder_in(self, data_dir: Path) -> Path:
        """The folder of the backups."""
        return (self.folder or data_dir / "backups").expanduser().absolute()
