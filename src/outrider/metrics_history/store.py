"""The statements on the tables of the history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import asyncpg

from outrider.db.queries import Queries
from outrider.metrics_history.series import Sample, SeriesMetric

FULL_DETAIL_DAYS = 7
KEPT_DAYS = 730


@dataclass(frozen=True, slots=True)
class BucketValue:
    """The values of one series in one bucket."""

    label: str
    at: datetime
    mean: float
    newest: float


class HistoryStore:
    """Adds samples, rolls them up and reads them."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.metrics_history")

    async def has_sample(self, db: asyncpg.Connection) -> bool:
        """Whether the current minute has samples."""
        return bool(await db.fetchval(self._sql.has_sample))

    async def add(self, db: asyncpg.Connection, samples: Sequence[Sample]) -> None:
        """Store samples for the current minute."""
        metrics = [each.metric.value for each in samples]
        labels = [each.label for each in samples]
        await db.execute(self._sql.add_series, metrics, labels)
        await db.execute(self._sql.add_samples, metrics, labels, [float(each.value) for each in samples])

    async def points(
        self,
        db: asyncpg.Connection,
        metric: SeriesMetric,
        since: datetime,
        until: datetime,
        bucket: timedelta,
        limit: int,
    ) -> list[BucketValue]:
        rows = await db.fetch(self._sql.points, metric.value, since, until, bucket, limit)
        return [BucketValue(**dict(row)) for row in rows]

    async def recent_growth(self, db: asyncpg.Connection, metric: SeriesMetric) -> dict[str, float]:
        """By how much each series of a count grew in the last five minutes; empty without samples."""
        rows = await db.fetch(self._sql.newest_values, metric.value)
        return {
            row["label"]: max(row["newest"] - row["before"], 0.0) for row in rows if row["newest"] is not None
        }

    async def roll_up_oldest(self, db: asyncpg.Connection) -> date | None:
        """Roll up one day that is older than 7 days; None if there is none. One transaction."""
        today: date = await db.fetchval(self._sql.today)
        day: date | None = await db.fetchval(self._sql.oldest_day, today - timedelta(days=FULL_DETAIL_DAYS))
        if day is not None:
            await db.execute(self._sql.roll_up_day, day)
            await db.execute(self._sql.remove_day, day)
        await db.execute(self._sql.forget_days, today - timedelta(days=KEPT_DAYS))
        return day
