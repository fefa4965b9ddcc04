"""Results are read back from their JSON as they were."""

import json
import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outrider.jobs.figures import JobFigures
from outrider.jobs.job_stats import JobStats
from outrider.jobs.model import Interval, Unit
from outrider.jobs.reconcile import ReconcileCounts
from outrider.runs.listing import RunStats
from outrider.services.as_json import as_json, json_name
from outrider.services.crawl.figures import CrawlStats
from outrider.services.from_json import OtherShape, from_json
from outrider.services.jobs.changes import JobResults
from outrider.services.jobs.jobs import JobDetails
from outrider.services.jobs.runs import JobRun
from outrider.services.jobs.scheduler import DistributionReport, RebalanceReport, SchedulerStatus
from outrider.services.operations.workers import WorkerPool
from outrider.services.runs.details import RunDetails, RunSummary
from outrider.services.sources.add import SiteSearch
from outrider.services.sources.lists import ListedSource, SourceChannels, SourceDetails
from outrider.services.sources.view import SourceView
from outrider.services.urls.explanation import ExplainedUrl
from outrider.urls import UrlKey

RESULTS = (
    CrawlStats,
    DistributionReport,
    ExplainedUrl,
    JobDetails,
    JobFigures,
    JobResults,
    JobRun,
    JobStats,
    ListedSource,
    RebalanceReport,
    ReconcileCounts,
    RunDetails,
    RunStats,
    RunSummary,
    SchedulerStatus,
    SiteSearch,
    SourceDetails,
    SourceView,
    WorkerPool,
)
_TEXT = st.text(max_size=8)
_ATOMS: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(-(2**40), 2**40),
    float: st.floats(-1e9, 1e9),
    str: _TEXT,
    bytes: st.just(b""),  # JSON leaves them out
    datetime: st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),
    timedelta: st.timedeltas(timedelta(), timedelta(days=1000)),
    UUID: st.uuids(),
    Any: st.one_of(st.none(), st.booleans(), st.integers(-9, 9), _TEXT, st.lists(_TEXT, max_size=2)),
    UrlKey: st.builds(
        UrlKey, st.integers(-(2**63), 2**63 - 1), st.text("0123456789abcdef", min_size=32, max_size=32)
    ),
    Interval: st.builds(Interval, st.integers(1, 300), st.sampled_from(Unit)),
    types.NoneType: st.none(),
}
_ABSENT = {(SourceChannels, "notes")}  # fields that the JSON of the type does not have


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any values of a type."""
    if kind in _ATOMS:
        return _ATOMS[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values_of, inner))
    if origin is tuple:
        return st.lists(values_of(inner[0]), max_size=2).map(tuple)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=2)
    if origin is not None and issubclass(origin, Set):
        return st.frozensets(values_of(inner[0]), max_size=2)
    if origin is not None and issubclass(origin, Sequence):
        return st.lists(values_of(inner[0]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    hints = get_type_hints(kind)
    if issubclass(kind, tuple):
        return st.builds(kind, **{name: values_of(hint) for name, hint in hints.items()})
    assert is_dataclass(kind), kind
    given_fields = {
        each.name: values_of(hints[each.name])
        for each in fields(kind)
        if each.init and (kind, each.name) not in _ABSENT
    }
    return st.builds(kind, **given_fields)


@pytest.mark.parametrize("kind", RESULTS, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_result_is_read_back_as_it_was(kind, data):
    value = data.draw(values_of(kind))
    sent = json.loads(json.dumps(as_json(value)))
    assert from_json(kind, sent) == value


class Size(Enum):
    SMALL = 1
    LARGE = "large"


@dataclass(frozen=True)
class Thing:
    number: int = field(metadata=json_name("no"))
    size: Size
    at: datetime
    parts: Mapping[int, Sequence[float]]
    note: str | None = None


def test_names_times_and_enums_are_read():
    sent = {"no": 1, "size": 1, "at": "2026-05-01T12:00:00+00:00", "parts": {"3": [1, 2.5]}, "more": 1}
    read = from_json(Thing, sent)
    assert read == Thing(1, Size.SMALL, datetime(2026, 5, 1, 12, tzinfo=UTC), {3: [1.0, 2.5]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"no": "1"},
        {"no": True},
        {"size": "1"},
        {"at": "yesterday"},
        {"parts": []},
        {"parts": {"x": []}},
        {"note": 5},
    ],
    ids=str,
)
def test_json_of_another_version_is_refused(wrong):
    right = {"no": 1, "size": "large", "at": "2026-05-01T12:00:00+00:00", "parts": {}}
    assert from_json(Thing, right).size is Size.LARGE
    with pytest.raises(OtherShape):
        from_json(Thing, right | wrong)
    with pytest.raises(OtherShape):
        from_json(Thing, {name: item for name, item in right.items() if name not in wrong} | wrong)
    with pytest.raises(OtherShape):
        from_json(Thing, {"no": 1})
    with pytest.raises(OtherShape):
        from_json(Thing, [right])
