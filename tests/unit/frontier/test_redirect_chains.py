"""Redirects join to chains and loops."""

from datetime import UTC, datetime, timedelta

from outrider.frontier.redirect_chains import MetHop, join_hops

NOW = datetime(2026, 3, 4, tzinfo=UTC)


def hop(start: str, end: str, status: int = 301, age_h: int = 0) -> MetHop:
    at = NOW - timedelta(hours=age_h)
    return MetHop(start, end, status, at, at, 1)


def shapes(*hops: MetHop) -> list[tuple[str, str, int, bool, bool]]:
    chains = join_hops(hops)
    return [(chain.start, chain.end, len(chain.hops), chain.is_loop, chain.is_permanent) for chain in chains]


def test_hops_join_from_the_first_address_to_the_last():
    assert shapes(hop("b", "c", 302), hop("a", "b"), hop("x", "y")) == [
        ("a", "c", 2, False, False),
        ("x", "y", 1, False, True),
    ]


def test_a_loop_ends():
    assert shapes(hop("a", "b"), hop("b", "a")) == [("a", "a", 2, True, True)]
    assert shapes(hop("x", "a"), hop("a", "b"), hop("b", "a")) == [("x", "a", 3, True, True)]
    assert shapes(hop("a", "a")) == [("a", "a", 1, True, True)]


def test_the_latest_redirect_of_an_address_counts():
    assert shapes(hop("a", "old", age_h=5), hop("a", "new")) == [("a", "new", 1, False, True)]
