"""Which sizes of the frontier a disk has room for, and what is said of the others."""

import pytest
from benchmarks.frontier import SIZES
from benchmarks.room import left_out, parted_by_room


@pytest.mark.parametrize(
    ("free_gb", "fit", "left_out"),
    [
        (15, [10_000, 1_000_000, 10_000_000], []),
        (14.9, [10_000, 1_000_000], [10_000_000]),
        (1, [10_000], [1_000_000, 10_000_000]),
        (0, [], [10_000, 1_000_000, 10_000_000]),
    ],
)
def test_what_does_not_fit_is_left_out(free_gb, fit, left_out):
    assert parted_by_room(SIZES, int(free_gb * 1e9)) == (fit, left_out)


def test_it_is_said_what_was_left_out_and_why():
    assert left_out(10_000_000, int(9e9)) == (
        "10,000,000 URLs were left out: they need 15 GB of disk, 9 GB are free."
    )
