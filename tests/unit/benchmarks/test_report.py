"""The table of a report in a narrow terminal, and the line about the machine."""

from datetime import UTC, datetime

import pytest
from benchmarks import machine
from benchmarks.report import Report
from rich.console import Console

COLUMNS = ("read", "kB", "median", "p99", "CPU of the API", "CPU of PostgreSQL", "budget")
FIGURES = ("131.7", "1039.5", "1127.9", "1011.0", "1030.1", "machine busy")
PATH = f"/api/v1/discovered-domains?{'min_score=30&hide_existing=true&' * 6}"


def test_long_names_are_folded_and_figures_stay_whole():
    console = Console(width=120)
    with console.capture() as shown:
        console.print(Report("api", "Reads", COLUMNS, [(PATH, *FIGURES), ("/health", *FIGURES)]).table())

    lines = [line.split() for line in shown.get().splitlines()]
    [whole] = [line for line in lines if line[:1] == ["/health"]]
    assert whole == ["/health", *FIGURES[:-1], "machine", "busy"]
    [first] = [line for line in lines if line and line[0].startswith("/api")]
    assert first[1:] == whole[1:]
    assert "…" not in shown.get()
    assert PATH in "".join(line[0] for line in lines if line), "the rest of the name follows below"


@pytest.mark.parametrize("chosen", ["python", "auto"])
def test_the_line_about_the_machine_names_the_scan(chosen, monkeypatch):
    monkeypatch.setenv("OUTRIDER_SCAN", chosen)
    said = machine.describe(datetime(2026, 5, 1, tzinfo=UTC))

    assert "/" not in said.partition("scan ")[2]
    if chosen == "python":
        assert said.endswith("scan in Python")
