"""Figures of several runs live together in one file."""

import json
from datetime import UTC, datetime

import pytest
from benchmarks.figures import keep
from benchmarks.report import Report

MORNING, NOON = datetime(2026, 11, 16, 8, tzinfo=UTC), datetime(2026, 11, 16, 12, tzinfo=UTC)


def report(name, us):
    return Report(name, name, ("", "µs"), [], figures=[{"us": us}])


def test_a_benchmark_that_runs_again_replaces_only_its_own_figures(tmp_path):
    file = tmp_path / "figures.json"
    keep(file, report("urls", 3.5), MORNING, "two cores")
    keep(file, report("feeds", 8), MORNING, "two cores")
    keep(file, report("urls", 3.4), NOON, "four cores")

    parts = json.loads(file.read_text())["parts"]
    assert parts["urls"]["results"] == [{"us": 3.4}]
    assert (parts["urls"]["machine"], parts["urls"]["started"]) == ("four cores", "2026-11-16T12:00:00+00:00")
    assert parts["feeds"]["results"] == [{"us": 8}]
    assert (parts["feeds"]["machine"], parts["feeds"]["started"]) == (
        "two cores",
        "2026-11-16T08:00:00+00:00",
    )


@pytest.mark.parametrize("before", ["", "[]", "no JSON", '{"results": {}}', '{"parts": 7}'])
def test_a_file_of_another_kind_is_replaced(tmp_path, before):
    file = tmp_path / "figures.json"
    file.write_text(before)

    keep(file, report("urls", 3.5), NOON, "two cores")

    assert list(json.loads(file.read_text())["parts"]) == ["urls"]
