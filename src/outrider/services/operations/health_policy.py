"""The status of the whole from the checks of its parts (OBS-13, BRK-13). Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from outrider.backup.policy import BackupHistory, trouble_of
from outrider.wording import span


class HealthStatus(StrEnum):
    """Whether Outrider works."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"  # something is missing, and the rest works
    UNHEALTHY = "unhealthy"  # requests cannot be answered


class CheckStatus(StrEnum):
    """Whether one part works."""

    OK = "ok"
    FAILED = "failed"
    OFF = "off"  # the settings do not use it


@dataclass(frozen=True, slots=True)
class PartHealth:
    """The check of one part."""

    status: CheckStatus
    latency_ms: float | None = None  # None: nothing was asked
    message: str | None = None  # one sentence; None: there is nothing to say


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The health of Outrider. `degraded` says in sentences what does not work, and what happens meanwhile."""

    status: HealthStatus
    checks: Mapping[str, PartHealth]
    degraded: Sequence[str]
    version: str
    started_at: datetime
    uptime_s: float


ESSENTIAL = frozenset({"database"})


def status_of(checks: Mapping[str, PartHealth]) -> HealthStatus:
    """Unhealthy without an essential part, degraded without another one."""
    failed = {name for name, check in checks.items() if check.status is CheckStatus.FAILED}
    if failed & ESSENTIAL:
        return HealthStatus.UNHEALTHY
    return HealthStatus.DEGRADED if failed else HealthStatus.HEALTHY


def sentences_of(checks: Mapping[str, PartHealth]) -> list[str]:
    """What does not work, part by part."""
    return [
        check.message or f"{name} does not work"
        for name, check in checks.items()
        if check.status is CheckStatus.FAILED
    ]


def workers_check(live: int, silent: int) -> PartHealth:
    """The check of the workers by their heartbeats."""
    if live == 0:
        return PartHealth(
            CheckStatus.FAILED,
            message="no worker runs, so no page is fetched: `outrider serve --roles worker` starts some",
        )
    if silent:
        what = "1 worker has" if silent == 1 else f"{silent:,} workers have"
        return PartHealth(
            CheckStatus.FAILED,
            message=f"{what} sent no heartbeat for a while; {live:,} others go on with its URLs",
        )
    return PartHealth(CheckStatus.OK, message=f"{live:,} live")


def scheduler_check(alive: int, *, is_enabled: bool) -> PartHealth:
    """The check of the schedulers by their heartbeats."""
    if alive:
        return PartHealth(CheckStatus.OK, message=f"{alive:,} live")
    if not is_enabled:
        return PartHealth(CheckStatus.OFF, message="disabled by OUTRIDER_SCHEDULER")
    return PartHealth(
        CheckStatus.FAILED,
        message="no scheduler runs, so no job starts: `outrider serve --roles scheduler` starts one",
    )


def backup_check(history: BackupHistory, now: datetime, *, is_daily: bool) -> PartHealth:
    """The check of the backups by the records of the database."""
    if history.failed_at is not None:
        # Anybody may read /health, so the reason, which names files, is not here.
        told = "the last backup failed; the overview and the history of maintenance say why"
        return PartHealth(CheckStatus.FAILED, message=told)
    if (trouble := trouble_of(history, now, is_daily=is_daily)) is not None:
        return PartHealth(CheckStatus.FAILED, message=trouble)
    if history.good_at is not None:
        age = span(max(0.0, (now - history.good_at).total_seconds()))
        return PartHealth(CheckStatus.OK, message=f"the newest one is {age} old, and verified")
    if is_daily:
        return PartHealth(CheckStatus.OK, message="the first one is written within a day")
    return PartHealth(CheckStatus.OFF, message="OUTRIDER_BACKUP_DAILY does not ask for any")
