"""The types of alerts: kinds, conditions and alerts. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Self

from outrider.described import DescribedName

Numbers = Mapping[str, float]

REST = "more"  # the last part of the key of a condition that stands for many subjects


class AlertSeverity(StrEnum):
    """How much it matters."""

    WARNING = "warning"  # an operator should look at it
    CRITICAL = "critical"  # nothing goes on until it is solved


class AlertKind(DescribedName):
    """What is wrong, with its severity and the page of the dashboard where it is looked into."""

    severity: AlertSeverity
    page: str

    def __new__(
        cls,
        name: str,
        sentence: str = "",
        page: str = "",
        severity: AlertSeverity = AlertSeverity.WARNING,
    ) -> Self:
        member = str.__new__(cls, name)
        member._value_ = name
        member.sentence = sentence
        member.page = page
        member.severity = severity
        return member

    NO_WORKERS = (
        "no_workers",
        "URLs wait and no worker has sent a heartbeat for two minutes",
        "/workers",
        AlertSeverity.CRITICAL,
    )
    HTTP_ERRORS = "http_errors", "too many answers are 4xx or 5xx", "/overview"
    FRONTIER_GROWTH = (
        "frontier_growth",
        "the queue grows faster than it should, minute after minute",
        "/frontier",
    )
    FEED_ERRORS = (
        "feed_errors",
        "a feed or sitemap of a source failed many times in a row",
        "/sources?failing=true",
    )
    JOB_FAILURES = "job_failures", "too few of the latest runs of jobs succeeded", "/runs?status=failed"
    STALE_LOCKS = "stale_locks", "schedulers died repeatedly while they watched runs", "/scheduler"
    UNEVEN_SCHEDULE = "uneven_schedule", "jobs are spread unevenly over the day", "/scheduler"
    DEAD_LINKS = "dead_links", "the content of an owned site has more dead links than a day ago", "/sites"
    BACKUP = "backup", "the last backup failed, or daily backups are missing", "/health-report"


class SubjectKind(StrEnum):
    """What an alert can be about."""

    SOURCE = "source"
    JOB = "job"
    SITE = "site"


@dataclass(frozen=True, slots=True)
class AlertSubject:
    """What an alert is about; an alert without a subject is about the whole crawler."""

    kind: SubjectKind
    id: str  # the id in the API
    name: str


@dataclass(frozen=True, slots=True)
class Condition:
    """What a rule found at this moment. Two conditions with the same key are the same thing."""

    kind: AlertKind
    numbers: Numbers = field(default_factory=dict)
    subject: AlertSubject | None = None
    is_rest: bool = False  # it stands for many subjects of its kind

    @property
    def key(self) -> str:
        if self.is_rest:
            return f"{self.kind}:{REST}"
        return f"{self.kind}:{self.subject.kind}:{self.subject.id}" if self.subject else self.kind.value


@dataclass(frozen=True, slots=True)
class AlertRecord:
    """An alert of the table that is not closed. Until `opened_at` its condition has not held long enough."""

    alert_id: int
    key: str
    kind: str  # a later version may have stored a kind that this one does not know
    held_since: datetime
    opened_at: datetime | None
    over_since: datetime | None  # since then the condition does not hold any more


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert that was told."""

    alert_id: int
    key: str
    kind: str
    severity: AlertSeverity
    subject: AlertSubject | None
    numbers: Numbers
    opened_at: datetime
    last_seen_at: datetime  # when its condition held last
    closed_at: datetime | None
