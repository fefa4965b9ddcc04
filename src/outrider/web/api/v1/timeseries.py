"""`/api/v1/stats/timeseries`: the history of one metric for charts (API-10)."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.durations import seconds_of
from outrider.errors import InvalidInput
from outrider.metrics_history.series import SeriesMetric
from outrider.services.metrics.timeseries import TimeSeries, read_series
from outrider.web.api.v1.parameters import Moment
from outrider.web.dependencies import Db
from outrider.web.router import ApiRouter

router = ApiRouter("stats")

_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


@router.get(
    "/api/v1/stats/timeseries",
    Role.USER,
    summary="Show the history of a metric",
    result=TimeSeries,
    aliases=("/api/stats/timeseries",),
    errors=(400,),
)
async def get_timeseries(
    db: Db,
    metric: Annotated[SeriesMetric, Query(description="What to show.")],
    since: Annotated[Moment | None, Query(description="The start. Default: a day before `until`.")] = None,
    until: Annotated[Moment | None, Query(description="The end. Default: now.")] = None,
    bucket: Annotated[
        str | None, Query(max_length=20, description="The width of a point, such as `5m`. Default: fitting.")
    ] = None,
) -> TimeSeries:
    """One value for each bucket and label: the growth of a count, or the mean of a level. The last 7 days are
    kept by the minute, older ones by the day."""
    end = _in_range(until) if until else datetime.now(UTC)
    return await read_series(
        db, metric, _in_range(since) if since else end - timedelta(days=1), end, _width(bucket)
    )


def _in_range(at: datetime) -> datetime:
    if not _EARLIEST <= at <= _LATEST:
        raise InvalidInput("`since` and `until` must be between the years 2000 and 3000")
    return at


def _width(bucket: str | None) -> timedelta | None:
    if bucket is None:
        return None
    try:
        seconds = seconds_of(bucket)
    except ValueError:
        raise InvalidInput(f"{bucket!r} is no bucket: give a duration such as 5m, 1h or 1d") from None
    if not 60 <= seconds <= 366 * 86_400:
        raise InvalidInput("a bucket is between a minute and a year")
    return timedelta(seconds=round(seconds))
