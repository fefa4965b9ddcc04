"""Two checkouts are compared pair by pair."""

import pytest
from benchmarks.against import CrawlCost, Pairs


def pairs(*costs: tuple[float, float]) -> Pairs:
    return Pairs([CrawlCost(before, 0.1) for before, _ in costs], [CrawlCost(now, 0.2) for _, now in costs])


def test_the_difference_of_a_pair_is_in_percent_of_the_other_checkout():
    assert pairs((1.0, 1.1), (2.0, 1.0)).differences() == pytest.approx([10.0, -50.0])


def test_a_busy_minute_does_not_count_because_it_is_in_both_crawls_of_a_pair():
    told = pairs((1.0, 1.01), (4.0, 4.04), (1.0, 1.01)).told()

    assert (
        "In 3 pairs the median of the differences is +1.0 %, from +1.0 to +1.0, standard error 0.0." in told
    )


def test_it_says_how_much_of_a_page_is_postgresql():
    told = pairs((1.0, 1.1)).told()

    assert "1.000 ms in the other checkout (0.100 of them PostgreSQL), 1.100 ms here (0.200)" in told
    assert "In 1 pair the median of the differences is +10.0 %, from +10.0 to +10.0." in told
