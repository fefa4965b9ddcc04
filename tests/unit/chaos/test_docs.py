"""What a run came to goes into the page between its markers."""

import pytest
from chaos.tally import Tallies, Tally
from scripts.performance_page import PAGE, with_block


@pytest.mark.parametrize("name", ["chaos", "chaos:fuzz"])
def test_the_page_has_a_place_for_each(name: str) -> None:
    assert "figures" in with_block(PAGE.read_text(), name, "figures")


def test_the_page_gets_the_inputs_of_every_subject() -> None:
    tallies = Tallies(pages=Tally(1_000, 0.3), robots=Tally(500, 0.01, ["ValueError: odd"]))

    assert not tallies.is_clean
    assert tallies.for_page().splitlines() == [
        "| subject | inputs | broken | slowest, ms |",
        "| --- | ---: | ---: | ---: |",
        "| pages | 1,000 | 0 | 300 |",
        "| robots | 500 | 1 | 10 |",
        "| **all** | 1,500 | 1 | 300 |",
    ]
