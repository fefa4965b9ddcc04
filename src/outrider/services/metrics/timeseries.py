"""The use case of charts: the history of one metric, in buckets (API-10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise

import asyncpg

from outrider.errors import InvalidInput
from outrider.metrics_history.series import MOST_LABELS, SeriesKind, SeriesMetric
from outrider.metrics_history.store import KEPT_DAYS, BucketValue, HistoryStore
from outrider.wording import span

MOST_POINTS = 1_500  # of one series
GOOD_NUMBER = 300  # of points, if the caller does not choose a bucket
SHORTEST = timedelta(minutes=1)
BUCKETS = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60, 180, 360, 720, 1440, 7 * 1440))


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """The value of one bucket. Buckets without samples are left out."""

    at: datetime  # the start of the bucket
    value: float


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """One series of a metric, such as one state; `label` is empty for a metric without parts."""

    label: str
    points: Sequence[SeriesPoint]


@dataclass(frozen=True, slots=True)
class TimeSeries:
    """The history of one metric."""

    metric: SeriesMetric
    kind: SeriesKind  # count: the growth within each bucket; level: the mean
    description: str
    since: datetime
    until: datetime
    bucket_s: int
    series: Sequence[SeriesLine]


async def read_series(
    db: asyncpg.Connection,
    metric: SeriesMetric,
    since: datetime,
    until: datetime,
    bucket: timedelta | None = None,
) -> TimeSeries:
    """The history of a metric from `since` up to `until`; raises InvalidInput for too many points."""
    bucket = bucket or fitting_bucket(since, until)
    check_range(since, until, bucket)
    # One bucket more: the growth of the first one is its difference to the one before.
    start = since - bucket if metric.kind is SeriesKind.COUNT else since
    found = await HistoryStore().points(
        db, metric, start, until, bucket, (MOST_POINTS + 3) * (MOST_LABELS + 2)
    )
    lines = [
        SeriesLine(label, points_of(list(values), metric.kind, since - bucket))
        for label, values in groupby(found, key=lambda each: each.label)
    ]
    return TimeSeries(metric, metric.kind, metric.sentence, since, until, int(bucket.total_seconds()), lines)


def fitting_bucket(since: datetime, until: datetime) -> timedelta:
    """The shortest usual bucket that gives a readable number of points."""
    return next((each for each in BUCKETS if (until - since) / each <= GOOD_NUMBER), BUCKETS[-1])


def check_range(since: datetime, until: datetime, bucket: timedelta) -> None:
    """Raises InvalidInput with what to change."""
    if since >= until:
        raise InvalidInput("`since` must be before `until`")
    if until - since > timedelta(days=KEPT_DAYS + 1):
        raise InvalidInput(f"the history goes back {KEPT_DAYS} days: choose a later `since`")
    if bucket < SHORTEST:
        raise InvalidInput("the shortest bucket is a minute")
    if (until - since) / bucket > MOST_POINTS:
        least = next((each for each in BUCKETS if (until - since) / each <= MOST_POINTS), BUCKETS[-1])
        wider = span(least.total_seconds())
        raise InvalidInput(f"this gives more than {MOST_POINTS:,} points: use a bucket of {wider} or more")


def points_of(values: Sequence[BucketValue], kind: SeriesKind, after: datetime) -> list[SeriesPoint]:
    """The points of one series that begin later than `after`.

    A count that falls was set back: its growth is then counted from 0.
    """
    if kind is SeriesKind.LEVEL:
        return [SeriesPoint(each.at, each.mean) for each in values]
    points = []
    for before, each in pairwise(values):
        growth = each.newest - before.newest
        points.append(SeriesPoint(each.at, growth if growth >= 0 else each.newest))
    return [each for each in points if each.at > after]
