"""The tables `alert` and `alert_level`: every method runs in the transaction of its caller."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import asyncpg

from outrider.alerts.model import (
    Alert,
    AlertRecord,
    AlertSeverity,
    AlertSubject,
    Condition,
    Numbers,
    SubjectKind,
)
from outrider.db.queries import Queries

KEPT_DAYS = 90  # after an alert was closed
FORGOTTEN_AT_ONCE = 1_000
LONGEST_LEVEL = timedelta(days=2)
LONGEST_NAME = 500

_SQL = Queries.load("outrider.alerts")


class AlertStore:
    """Alerts, and the levels that rules compare. Each change of state happens in one process only."""

    async def known(self, db: asyncpg.Connection) -> dict[str, AlertRecord]:
        """The alerts that are not closed, by their keys."""
        return {row["key"]: AlertRecord(**dict(row)) for row in await db.fetch(_SQL.known_alerts)}

    async def hold(self, db: asyncpg.Connection, condition: Condition) -> None:
        """Remember a condition that is not told yet."""
        await db.execute(_SQL.hold_alert, *_values(condition))

    async def open(self, db: asyncpg.Connection, condition: Condition) -> Alert | None:
        """Open an alert; None if another process has opened it."""
        row = await db.fetchrow(_SQL.open_alert, *_values(condition))
        return None if row is None else _alert(row)

    async def forget_held(self, db: asyncpg.Connection, alert_ids: Sequence[int]) -> None:
        await db.execute(_SQL.forget_held, alert_ids)

    async def see(self, db: asyncpg.Connection, seen: Mapping[int, Condition]) -> None:
        """The conditions of open alerts hold."""
        numbers = [json.dumps(dict(each.numbers)) for each in seen.values()]
        names = [each.subject.name[:LONGEST_NAME] if each.subject else None for each in seen.values()]
        await db.execute(_SQL.see_alerts, list(seen), numbers, names)

    async def end_conditions(self, db: asyncpg.Connection, alert_ids: Sequence[int]) -> None:
        await db.execute(_SQL.end_conditions, alert_ids)

    async def close(self, db: asyncpg.Connection, alert_id: int) -> Alert | None:
        """Close an alert; None if another process has closed it."""
        row = await db.fetchrow(_SQL.close_alert, alert_id)
        return None if row is None else _alert(row)

    async def page(
        self, db: asyncpg.Connection, is_open: bool | None, kind: str | None, limit: int, offset: int
    ) -> list[Alert]:
        """A page of the alerts that were told, the newest first."""
        return [_alert(row) for row in await db.fetch(_SQL.list_alerts, is_open, kind, limit, offset)]

    async def count(self, db: asyncpg.Connection, is_open: bool | None, kind: str | None, most: int) -> int:
        return int(await db.fetchval(_SQL.count_alerts, is_open, kind, most))

    async def open_by_kind(self, db: asyncpg.Connection) -> dict[tuple[str, str], int]:
        """How many alerts are open, by kind and severity."""
        return {(row["kind"], row["severity"]): row["alerts"] for row in await db.fetch(_SQL.open_by_kind)}

    async def forget(self, db: asyncpg.Connection) -> None:
        """Remove what is too old."""
        await db.execute(_SQL.forget_alerts, KEPT_DAYS, FORGOTTEN_AT_ONCE)
        await db.execute(_SQL.forget_levels, LONGEST_LEVEL)

    async def least_levels(
        self, db: asyncpg.Connection, levels: Mapping[str, int], within: timedelta
    ) -> dict[str, int]:
        """The least values of these figures within a time; a figure without one has its present value."""
        rows = await db.fetch(_SQL.least_levels, list(levels), within)
        return dict(levels) | {row["key"]: min(row["value"], levels[row["key"]]) for row in rows}

    async def keep_levels(self, db: asyncpg.Connection, levels: Mapping[str, int], part: timedelta) -> None:
        """Remember the values of figures, the least of each part of the time."""
        if levels:
            await db.execute(_SQL.keep_levels, list(levels), list(levels.values()), part)


def _values(condition: Condition) -> tuple[Any, ...]:
    subject = condition.subject
    about = (subject.kind, subject.id, subject.name[:LONGEST_NAME]) if subject else (None, None, None)
    return (condition.key, condition.kind, condition.kind.severity, *about, dict(condition.numbers))


def _alert(row: Any) -> Alert:
    subject = None
    if row["subject_kind"] is not None:
        subject = AlertSubject(SubjectKind(row["subject_kind"]), row["subject_id"], row["subject_name"])
    numbers: Numbers = row["numbers"]
    return Alert(
        row["alert_id"],
        row["key"],
        row["kind"],
        AlertSeverity(row["severity"]),
        subject,
        numbers,
        row["opened_at"],
        row["last_seen_at"],
        row["closed_at"],
    )
