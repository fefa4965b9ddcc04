"""The table behind a chart: one row for each time, one column for each series. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from outrider.services.metrics.timeseries import TimeSeries


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The values of one time; None where a series has none."""

    at: datetime
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class ChartTable:
    """A table that `charts.js` draws."""

    id: str
    title: str
    columns: Sequence[str]
    rows: Sequence[ChartRow]
    since: datetime  # the time that the axis covers, also where there are no rows
    until: datetime
    unit: str = ""

    @property
    def is_empty(self) -> bool:
        return not any(any(each.values) for each in self.rows)


def table_of(
    series: TimeSeries, id: str, title: str, *, names: Mapping[str, str] | None = None, unit: str = ""
) -> ChartTable:
    """The table of a history. With `names` only these series, in this order, under these names."""
    labels = list(names) if names is not None else [each.label for each in series.series]
    points = {each.label: {point.at: point.value for point in each.points} for each in series.series}
    times = sorted({at for label in labels for at in points.get(label, {})})
    rows = [ChartRow(at, [points.get(label, {}).get(at) for label in labels]) for at in times]
    columns = [(names or {}).get(label, label) for label in labels]
    return ChartTable(id, title, columns, rows, series.since, series.until, unit)
