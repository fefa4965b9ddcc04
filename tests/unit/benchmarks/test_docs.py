"""Figures go into the page between their markers, and nowhere else."""

import pytest
from benchmarks.__main__ import DOCUMENTED, sizes
from benchmarks.docs import PAGE, with_block
from benchmarks.report import Report

WRITTEN = "# Speed\n\n<!-- bench:urls -->\nold\n<!-- /bench:urls -->\n\nProse.\n"


def test_a_block_is_replaced_and_the_prose_stays():
    once = with_block(WRITTEN, "urls", r"new \1 figures")

    assert once == "# Speed\n\n<!-- bench:urls -->\n\nnew \\1 figures\n<!-- /bench:urls -->\n\nProse.\n"
    assert with_block(once, "urls", r"new \1 figures") == once


def test_a_page_without_the_place_for_a_table_is_an_error():
    with pytest.raises(ValueError, match="0 places for <!-- bench:feeds -->"):
        with_block(WRITTEN, "feeds", "new")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_page_has_a_place_for_every_benchmark(name):
    assert "figures" in with_block(PAGE.read_text(), name, "figures")


def test_a_report_reads_as_a_table():
    report = Report("urls", "URLs", ("", "µs"), [("Outrider", "3.5")], remarks=["Fast."])

    assert report.markdown() == "|  | µs |\n| --- | ---: |\n| Outrider | 3.5 |\n\nFast.\n"


@pytest.mark.parametrize(
    ("text", "meant"), [("10k", (10_000,)), ("10k,1m,10M", (10_000, 1_000_000, 10_000_000)), ("500", (500,))]
)
def test_sizes_are_written_as_people_say_them(text, meant):
    assert sizes(text) == meant
