"""The figures that rules decide about, read at one moment. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from outrider.backup.policy import BackupHistory
from outrider.sources.failing_feeds import FailingSource


@dataclass(frozen=True, slots=True)
class Point:
    """The value of a series at the end of a minute."""

    at: datetime
    value: float


Points = Sequence[Point]


@dataclass(frozen=True, slots=True)
class SiteDeadLinks:
    """The dead links of an owned site, now and when they were fewest within a day."""

    site_id: int
    name: str
    dead: int
    least: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What one pass knows. Series are in the order of time; without samples they are empty."""

    answers: Mapping[str, Points] = field(default_factory=dict)  # by class of the status, only growing
    queued: Points = ()
    due_hosts: int = 0
    live_workers: int = 0
    failing_sources: Sequence[FailingSource] = ()  # the one with the most errors first
    runs_completed: int = 0  # of the latest runs of jobs
    runs_failed: int = 0
    stale_locks: int = 0  # cleared within an hour
    planned_runs: int = 0  # within a day
    distribution_score: float = 1.0
    sites: Sequence[SiteDeadLinks] = ()
    backups: BackupHistory | None = None
    is_backed_up_daily: bool = False  # the settings ask for it
