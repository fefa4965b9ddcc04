"""Passes of the alerts on a database, and time that goes by."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import asyncpg

from outrider.alerts.model import Alert
from outrider.alerts.options import AlertOptions
from outrider.alerts.watch import check_alerts
from outrider.db.reconnecting import ReconnectingConnection

MINUTE = timedelta(minutes=1)


async def leading(_: object) -> None:
    """This process leads."""


@dataclass
class AlertWatch:
    """Looks for alerts as the leader does."""

    connection: ReconnectingConnection
    options: AlertOptions = field(default_factory=AlertOptions)
    is_backed_up_daily: bool = False

    def with_options(self, **options: Any) -> "AlertWatch":
        return replace(self, options=replace(self.options, **options))

    async def look(self, public_url: str | None = None) -> list[str]:
        """One pass; returns what it told, such as `+feed_errors` and `-feed_errors`."""
        changed = await self.changes(public_url)
        return [f"{'-' if each.closed_at else '+'}{each.kind}" for each in changed]

    async def changes(self, public_url: str | None = None) -> list[Alert]:
        return await check_alerts(
            self.connection,
            leading,
            self.options,
            public_url,
            is_backed_up_daily=self.is_backed_up_daily,
        )

    async def wait(self, seconds: float) -> None:
        """What waiting would do to the alerts that are not closed."""
        await self.run(
            "UPDATE alert SET held_since = held_since - $1::interval, opened_at = opened_at - $1, "
            "last_seen_at = last_seen_at - $1, over_since = over_since - $1 WHERE closed_at IS NULL",
            timedelta(seconds=seconds),
        )

    async def is_over(self, seconds: float = 300) -> list[str]:
        """Two passes, one at once and one after so many seconds; returns what both told."""
        told = await self.look()
        await self.wait(seconds)
        return [*told, *await self.look()]

    async def run(self, sql: str, *values: Any) -> None:
        async def execute(db: asyncpg.Connection) -> None:
            await db.execute(sql, *values)

        await self.connection.run(execute)

    async def sampled(self, metric: str, label: str, *values: float) -> None:
        """One sample for each of the last minutes; those of this series before are gone."""

        async def store(db: asyncpg.Connection) -> None:
            series = await db.fetchval(
                "INSERT INTO metric_series (metric, label) VALUES ($1, $2) "
                "ON CONFLICT (metric, label) DO UPDATE SET label = excluded.label RETURNING series_id",
                metric,
                label,
            )
            await db.execute("DELETE FROM metric_sample WHERE series_id = $1", series)
            now = await db.fetchval("SELECT date_trunc('minute', now())")
            times = [now - (len(values) - 1 - i) * MINUTE for i in range(len(values))]
            rows = [(series, at, float(value)) for at, value in zip(times, values, strict=True)]
            await db.executemany("INSERT INTO metric_sample VALUES ($1, $2, $3)", rows)

        await self.connection.run(store)
