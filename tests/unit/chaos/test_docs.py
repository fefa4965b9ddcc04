"""What a run came to goes into the page between its markers, and nowhere else."""

import pytest
from chaos.docs import PAGE, with_block
from chaos.fuzz import Tallies, Tally

WRITTEN = "# Fire\n\n<!-- chaos -->\nold\n<!-- /chaos -->\n\nProse.\n"


def test_a_block_is_replaced_and_the_prose_stays() -> None:
    once = with_block(WRITTEN, "chaos", r"new \1 table")

    assert once == "# Fire\n\n<!-- chaos -->\n\nnew \\1 table\n<!-- /chaos -->\n\nProse.\n"
    assert with_block(once, "chaos", r"new \1 table") == once


def test_a_page_without_the_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 places for <!-- chaos:fuzz -->"):
        with_block(WRITTEN, "chaos:fuzz", "new")


@pytest.mark.parametrize("name", ["chaos", "chaos:fuzz"])
def test_the_page_has_a_place_for_each(name: str) -> None:
    assert "figures" in with_block(PAGE.read_text(), name, "figures")


def test_fuzzing_comes_to_one_sentence() -> None:
    tallies = Tallies(pages=Tally(1_000, 0.3), robots=Tally(500, 0.01, ["ValueError: odd"]))

    assert not tallies.is_clean
    assert tallies.sentence() == (
        "Fuzzing gave 1,500 damaged inputs to 2 parsers; 1 broke something. "
        "The slowest took 300 ms (pages).\n"
    )
