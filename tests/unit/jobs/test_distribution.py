"""How evenly runs are spread over the day."""

import statistics
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON

from outrider.jobs.distribution import Distribution, distribution, score
from outrider.jobs.slot_entries import SlotEntry

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOW = NOON + 20 * MINUTE


def test_an_empty_schedule_scores_one():
    """BAL-10."""
    empty = distribution([], NOW)

    assert (empty.distribution_score, empty.total_jobs, empty.hourly_counts) == (1.0, 0, (0,) * 24)


def days(least: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(least, most), min_size=24, max_size=24)


@given(days(50, 150) | days(0, 10**6).filter(any))
def test_the_score_is_one_minus_the_spread(counts):
    """BAL-10."""
    expected = 1 - statistics.pstdev(counts) / statistics.mean(counts)

    assert score(counts) == pytest.approx(max(0.0, expected), abs=1e-9)
    assert 0 <= score(counts) <= 1


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([5] * 24, 1.0), ([24, *[0] * 23], 0.0), ([1] * 12 + [3] * 12, 0.5)],
    ids=["even", "all at once", "half as even"],
)
def test_what_the_score_means(counts, expected):
    assert score(counts) == expected


def test_the_report_counts_runs_by_hour_of_the_day():
    """BAL-09."""
    jobs = [
        SlotEntry(1, DAY, NOON + 3 * HOUR),
        SlotEntry(2, DAY, NOON + 3 * HOUR + 30 * MINUTE),
        SlotEntry(3, 12 * HOUR, NOON + HOUR),
        SlotEntry(4, DAY, NOON + 24 * HOUR),  # this hour has begun: tomorrow's quarter belongs to it
        SlotEntry(5, 7 * DAY, NOON + 30 * HOUR),  # not within 24 hours
    ]
    expected = [0] * 24
    expected[15], expected[13], expected[1], expected[12] = 2, 1, 1, 1

    assert distribution(jobs, NOW) == Distribution(
        hourly_counts=tuple(expected),
        total_jobs=5,
        average_per_hour=5 / 24,
        max_per_hour=2,
        min_per_hour=0,
        peak_hour=15,
        peak_count=2,
        slot_minutes=15,
        distribution_score=0.0,
    )


def test_hourly_jobs_are_an_even_load():
    even = distribution([SlotEntry(number, HOUR, NOON + HOUR) for number in range(10)], NOW)

    assert even.hourly_counts == (10,) * 24
    assert even.distribution_score == 1.0
