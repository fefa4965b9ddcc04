"""Workers share few hosts evenly, and leave none of them alone for long."""

from math import inf

import pytest

from outrider.workers.share import EVERY_S, HOLD_BACK_S, LOOKS, FairShare


def told(mine, others):
    """A share that learned the same as often as it takes."""
    share = FairShare()
    for seconds_ago in reversed(range(LOOKS)):
        share.learn(mine, others, now=100.0 - seconds_ago)
    return share


@pytest.mark.parametrize(
    ("mine", "others", "left"),
    [
        (40, [0], 0),
        (16, [0], 0),
        (40, [0, 2], 0),
        (20, [20], inf),
        (22, [18], inf),
        (10, [30], inf),
        (40, [], inf),
        (0, [0], inf),
        (1, [0], inf),
    ],
)
def test_who_holds_too_many_takes_no_more(mine, others, left):
    share = told(mine, others)

    assert share.left(mine, now=100.0) == left


def test_a_single_look_may_be_mistaken():
    share = FairShare()

    share.learn(16, [0], now=100.0)  # the other one has just begun
    share.learn(16, [24], now=101.0)
    share.learn(24, [0], now=102.0)

    assert share.left(24, now=102.0) == inf


def test_it_takes_up_to_its_share():
    share = told(40, [0])

    assert share.left(15, now=101.0) == 5


def test_hosts_that_no_other_worker_claims_are_taken_after_a_moment():
    share = told(40, [0])

    assert share.left(20, now=100.0 + HOLD_BACK_S) == inf
    share.learn(40, [0], now=100.0 + EVERY_S - 1)
    assert share.left(40, now=100.0 + EVERY_S - 1) == inf
    share.learn(40, [0], now=100.0 + EVERY_S)
    assert share.left(40, now=100.0 + EVERY_S) == 0


@pytest.mark.parametrize(
    ("mine", "others", "will_grow"),
    [
        (0, [40], True),
        (5, [40, 30], True),
        (0, [1], False),
        (20, [20], False),
        (40, [0], False),
        (0, [], False),
    ],
)
def test_who_has_too_few_while_others_have_too_many_looks_often(mine, others, will_grow):
    share = FairShare()

    share.learn(mine, others, now=100.0)

    assert share.will_grow is will_grow
