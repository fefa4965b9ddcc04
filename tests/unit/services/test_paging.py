"""Lists are filtered, sorted and paged in one way, and a misspelt name is refused."""

from dataclasses import dataclass
from enum import StrEnum

import pytest

from outrider.errors import InvalidInput
from outrider.services.paging import PageRequest, read_filters, read_sort


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class BallFilters:
    colour: Colour | None = None
    search: str | None = None
    size: int = 0
    is_round: bool = False


def test_filters_are_read_by_the_types_of_their_fields():
    given = {"colour": "blue", "search": "7", "size": "7", "is_round": "true"}

    assert read_filters(BallFilters, given) == BallFilters(Colour.BLUE, "7", 7, is_round=True)
    assert read_filters(BallFilters, {}) == BallFilters()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"color": "red"}, "there is no filter 'color', only colour, search, size, is_round"),
        ({"colour": "green"}, "there is no value of colour 'green', only red, blue"),
        ({"size": "large"}, "size is a whole number, not 'large'"),
        ({"is_round": "yes"}, "there is no value of is_round 'yes', only true, false"),
        ({"x" * 1_000: ""}, f"there is no filter '{'x' * 200}', only colour, search, size, is_round"),
    ],
)
def test_a_wrong_filter_is_refused_with_what_is_allowed(given, sentence):
    with pytest.raises(InvalidInput) as refused:
        read_filters(BallFilters, given)

    assert str(refused.value) == sentence


def test_a_wrong_order_is_refused_with_the_orders_there_are():
    assert read_sort(Colour, "red") is Colour.RED
    with pytest.raises(InvalidInput, match="there is no sort 'green', only red, blue"):
        read_sort(Colour, "green")


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (PageRequest(limit=0), "limit is a number from 1 to 100, not 0"),
        (PageRequest(limit=101), "limit is a number from 1 to 100, not 101"),
        (PageRequest(offset=-1), "offset is a number from 0 to 500, not -1"),
        (PageRequest(offset=501), "offset is a number from 0 to 500, not 501"),
    ],
)
def test_a_page_is_bounded(page, sentence):
    with pytest.raises(InvalidInput) as refused:
        page.checked(most_items=100, most_offset=500)

    assert str(refused.value) == sentence


def test_the_bounds_themselves_are_allowed():
    largest = PageRequest(limit=100, offset=500)

    assert largest.checked(most_items=100, most_offset=500) == largest
    assert PageRequest(limit=1, offset=10**9).checked() == PageRequest(1, 10**9)
