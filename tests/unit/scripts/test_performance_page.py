"""A table goes into the page between its markers, and nowhere else."""

import pytest
from scripts.performance_page import with_block

WRITTEN = "# Speed\n\n<!-- bench:urls -->\nold\n<!-- /bench:urls -->\n\nProse.\n"


def test_a_block_is_replaced_and_the_prose_stays():
    once = with_block(WRITTEN, "bench:urls", r"new \1 figures")

    assert once == "# Speed\n\n<!-- bench:urls -->\n\nnew \\1 figures\n<!-- /bench:urls -->\n\nProse.\n"
    assert with_block(once, "bench:urls", r"new \1 figures") == once


def test_a_page_without_the_place_for_a_table_is_an_error():
    with pytest.raises(ValueError, match="0 places for <!-- chaos -->"):
        with_block(WRITTEN, "chaos", "new")
