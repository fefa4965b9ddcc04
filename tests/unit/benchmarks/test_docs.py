"""Figures go into the page between their markers."""

import pytest
from benchmarks.__main__ import DOCUMENTED, sizes
from benchmarks.report import Report
from scripts.performance_page import PAGE, with_block


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_page_has_a_place_for_every_benchmark(name):
    assert "figures" in with_block(PAGE.read_text(), f"bench:{name}", "figures")


def test_a_report_reads_as_a_table():
    report = Report("urls", "URLs", ("", "µs"), [("Outrider", "3.5")], remarks=["Fast."])

    assert report.markdown() == "|  | µs |\n| --- | ---: |\n| Outrider | 3.5 |\n\nFast.\n"


@pytest.mark.parametrize(
    ("text", "meant"), [("10k", (10_000,)), ("10k,1m,10M", (10_000, 1_000_000, 10_000_000)), ("500", (500,))]
)
def test_sizes_are_written_as_people_say_them(text, meant):
    assert sizes(text) == meant
