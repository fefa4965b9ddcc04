"""The use case of alerts: list them (API-77)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import asyncpg

from outrider.alerts.model import Alert, AlertKind, AlertSeverity, AlertSubject
from outrider.alerts.store import AlertStore
from outrider.alerts.words import page_of, sentence_of
from outrider.services.paging import ListPage, PageRequest, TotalIs

MOST_COUNTED = 10_000
MOST_BADGE = 1_000


class AlertState(StrEnum):
    """Which alerts to list."""

    OPEN = "open"
    CLOSED = "closed"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class AlertFilter:
    """Which alerts to list; None matches every kind."""

    state: AlertState = AlertState.ALL
    kind: AlertKind | None = None

    @property
    def is_open(self) -> bool | None:
        return None if self.state is AlertState.ALL else self.state is AlertState.OPEN


@dataclass(frozen=True, slots=True)
class ListedAlert:
    """An alert and its sentence. `kind` may be one that only a later version knows."""

    alert_id: int
    key: str
    kind: str
    severity: AlertSeverity
    is_open: bool
    sentence: str
    subject: AlertSubject | None  # None: the whole crawler
    numbers: Mapping[str, float]
    opened_at: datetime
    last_seen_at: datetime  # when its condition held last
    closed_at: datetime | None

    @property
    def page(self) -> str:
        """The path in the dashboard where it is looked into."""
        return page_of(self.kind, self.subject)


async def list_alerts(
    db: asyncpg.Connection, wanted: AlertFilter, page: PageRequest
) -> ListPage[ListedAlert]:
    """The alerts of the last 90 days, the newest first."""
    page = page.checked()
    store = AlertStore()
    async with db.transaction():
        found = await store.page(db, wanted.is_open, wanted.kind, page.limit, page.offset)
        total = await store.count(db, wanted.is_open, wanted.kind, MOST_COUNTED + 1)
    total_is = TotalIs.EXACT if total <= MOST_COUNTED else TotalIs.AT_LEAST
    items = [_listed(each) for each in found]
    return ListPage(items, min(total, MOST_COUNTED), page.limit, page.offset, total_is)


async def count_open_alerts(db: asyncpg.Connection) -> int:
    """How many alerts are open, for the badge in the menu; counting stops at 1,000."""
    return await AlertStore().count(db, is_open=True, kind=None, most=MOST_BADGE)


def _listed(alert: Alert) -> ListedAlert:
    return ListedAlert(
        alert.alert_id,
        alert.key,
        alert.kind,
        alert.severity,
        alert.closed_at is None,
        sentence_of(alert.kind, alert.subject, alert.numbers),
        alert.subject,
        alert.numbers,
        alert.opened_at,
        alert.last_seen_at,
        alert.closed_at,
    )
