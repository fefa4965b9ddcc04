"""The number from 1 to 10: the formula, the looks of a link, and what people may write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.frontier.model import UrlOrigin
from outrider.frontier.priority import SEED, Signal, parse_priority, priority, signals_of


@pytest.mark.parametrize(
    ("base", "origin", "depth", "expected"),
    [
        (5, UrlOrigin.FEED, 0, 7),
        (5, UrlOrigin.SITEMAP, 0, 6),
        (5, UrlOrigin.SPIDER, 0, 5),
        (5, UrlOrigin.MANUAL, 0, 5),
        (5, UrlOrigin.SPIDER, 2, 3),
        (5, UrlOrigin.SPIDER, 9, 1),
        (5, UrlOrigin.FEED, 3, 7),
        (5, UrlOrigin.DISCOVERED, 3, 5),
        (5, UrlOrigin.REPLAY, 3, 5),
        (10, UrlOrigin.FEED, 0, 10),
        (1, UrlOrigin.SPIDER, 1, 1),
    ],
)
def test_priority_is_base_and_bonus_less_depth(base, origin, depth, expected):
    assert priority(base, origin, depth) == expected


@pytest.mark.parametrize(
    ("signal", "expected"),
    [
        (Signal.HOMEPAGE, 5),
        (Signal.ARTICLE, 5),
        (Signal.PAGINATION, 3),
        (Signal.ARCHIVE, 3),
        (Signal.EXTERNAL, 3),
    ],
)
def test_the_looks_of_a_link_move_it_by_one(signal, expected):
    assert priority(5, UrlOrigin.SPIDER, 1) == 4
    assert priority(5, UrlOrigin.SPIDER, 1, {signal}) == expected


def test_looks_do_not_outrank_what_a_feed_or_a_person_said():
    assert priority(5, UrlOrigin.FEED, 0, {Signal.PAGINATION}) == 7
    assert priority(5, UrlOrigin.MANUAL, 0, {Signal.ARCHIVE}) == 5


@pytest.mark.parametrize(
    ("url", "signals"),
    [
        ("https://a.org/", {Signal.HOMEPAGE}),
        ("https://a.org/index.html", {Signal.HOMEPAGE}),
        ("https://a.org/about", set()),
        ("https://a.org/contact", set()),
        ("https://a.org/blog/page/7", {Signal.PAGINATION}),
        ("https://a.org/list?page=3&sort=up", {Signal.PAGINATION}),
        ("https://a.org/homepage/7up", set()),
        ("https://a.org/tag/space", {Signal.ARCHIVE}),
        ("https://a.org/2024/05", {Signal.ARCHIVE}),
        ("https://a.org/2024/05/17/a-fine-day", {Signal.ARTICLE}),
        ("https://a.org/news/ten-things-to-see-in-town", {Signal.ARTICLE}),
        ("https://a.org/news/ten-things", set()),
    ],
)
def test_a_url_shows_what_it_is(url, signals):
    assert signals_of(url) == signals
    assert signals_of(url, external=True) == signals | {Signal.EXTERNAL}


@pytest.mark.parametrize(
    ("written", "number"),
    [(None, 5), (1, 1), (10, 10), ("7", 7), ("low", 2), ("Medium", 5), (" high ", 9)],
)
def test_people_write_numbers_or_levels(written, number):
    assert parse_priority(written) == number


@pytest.mark.parametrize("written", [0, 11, -1, "", "urgent", "5.5", "٣", "1" * 5_000])
def test_anything_else_is_refused_with_the_choices(written):
    with pytest.raises(InvalidInput, match="give 1 to 10, or low, medium or high"):
        parse_priority(written)


@given(
    st.integers(1, 10),
    st.sampled_from(list(UrlOrigin)),
    st.integers(0, 1_000),
    st.frozensets(st.sampled_from(list(Signal))),
)
def test_priority_is_always_1_to_10_and_seeds_are_never_outranked(base, origin, depth, signals):
    assert 1 <= priority(base, origin, depth, signals) <= SEED
