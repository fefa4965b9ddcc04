"""How a crawler stands after several rounds, and how far we are ahead of it."""

import json
from dataclasses import replace

from benchmarks.crawl import Speed
from benchmarks.race import COLUMNS, row, standing
from benchmarks.report import Report
from rich.console import Console


def run(pages_per_s, worker_ms):
    return Speed(
        crawler="Outrider",
        workers=2,
        pages=10_000,
        repeated=0,
        pages_per_s=pages_per_s,
        whole_pages_per_s=pages_per_s / 2,
        cpu_ms={"workers": worker_ms, "PostgreSQL": 0.1},
        whole_ms=worker_ms + 1,
        nginx_ms=0.02,
        peak_mb=100 * worker_ms,
    )


THREE = [run(900, 1.2), run(1_000, 1.4), run(500, 1.0)]
TWO_OF_OURS = standing("1.0", [run(2_000, 0.7)])
ONE_OF_OURS = replace(TWO_OF_OURS, workers=1, pages_per_s=1_200)
THEIRS = replace(
    TWO_OF_OURS,
    crawler="Crawlee, by the manual",
    workers=1,
    pages_per_s=100,
    pages_per_s_median=90,
    cpu_ms={"workers": 12.5},
    all_ms=12.5,
    all_ms_median=13,
)
STANDINGS = [ONE_OF_OURS, TWO_OF_OURS, THEIRS]


def test_the_best_of_each_figure_counts_and_memory_at_its_worst():
    stands = standing("1.0", THREE)

    assert (stands.pages_per_s, stands.pages_per_s_median) == (1_000, 900)
    assert (round(stands.all_ms, 6), round(stands.all_ms_median, 6)) == (1.1, 1.3)
    assert stands.cpu_ms == {"workers": 1.0, "PostgreSQL": 0.1}
    assert stands.peak_mb == 140


def test_every_round_and_the_version_are_among_the_figures():
    figures = json.loads(json.dumps(standing("2.19.0", THREE).figures))

    assert figures["version"] == "2.19.0"
    assert [each["pages_per_s"] for each in figures["rounds"]] == [900, 1_000, 500]
    assert [round(each["all_ms"], 6) for each in figures["rounds"]] == [1.3, 1.5, 1.1]
    assert {each["peak_mb"] for each in figures["rounds"]} == {120, 140, 100}


def test_a_lead_is_that_of_two_workers_and_that_of_as_many_processes():
    lead_of_two, like_for_like = COLUMNS.index("lead of our two"), COLUMNS.index("lead like for like")

    assert row(THEIRS, STANDINGS)[lead_of_two] == "20.0 ×"
    assert row(THEIRS, STANDINGS)[like_for_like] == "12.0 ×"
    assert row(TWO_OF_OURS, STANDINGS)[lead_of_two:] == ("", "")


def test_the_cpu_of_postgresql_is_shown_where_there_is_one():
    database = COLUMNS.index("in the database")

    assert row(TWO_OF_OURS, STANDINGS)[database] == "0.10"
    assert row(THEIRS, STANDINGS)[database] == ""


def test_the_whole_run_is_shown_beside_the_steady_figures():
    assert row(TWO_OF_OURS, STANDINGS)[COLUMNS.index("whole run")] == "1,000, 1.70"


def test_the_table_fits_into_120_columns():
    console = Console(width=120)
    table = Report("peers", "Pages", COLUMNS, [row(each, STANDINGS) for each in STANDINGS]).table()

    with console.capture() as shown:
        console.print(table)

    assert "…" not in shown.get()
    assert len(shown.get().splitlines()) < 12, "cells are broken into lines"
