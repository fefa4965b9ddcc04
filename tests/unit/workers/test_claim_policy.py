"""What a worker claims, and how long it rests."""

import pytest

from outrider.workers.claim_policy import IDLE_S, LOOK_S, ClaimPolicy, ClaimSize

NOW = 100.0


def _hungry() -> ClaimPolicy:
    return ClaimPolicy(most=16)


def _has_just_looked() -> ClaimPolicy:
    claim_policy = _hungry()
    claim_policy.rest_s(ClaimSize(0, 16), 3, will_grow=False, now=NOW)
    return claim_policy


@pytest.mark.parametrize(
    ("room", "own", "size"),
    [
        pytest.param(100, 0, ClaimSize(0, 16), id="no more others than one claim may ask for"),
        pytest.param(100, 3, ClaimSize(3, 16), id="our own besides them"),
        pytest.param(20, 30, ClaimSize(20, 0), id="our own first"),
        pytest.param(20, 15, ClaimSize(15, 4), id="others in the room that is left, a power of two"),
        pytest.param(16, 5, ClaimSize(5, 8), id="as a claim would hand out no more"),
        pytest.param(1, 0, ClaimSize(0, 1), id="one lane is free"),
        pytest.param(0, 3, ClaimSize(0, 0), id="no room at all"),
        pytest.param(-2, 3, ClaimSize(0, 0), id="more lanes than there should be"),
    ],
)
def test_a_worker_takes_its_own_hosts_back_and_looks_for_others(room, own, size):
    assert _hungry().next_claim(room, own, is_crowded=False, now=NOW) == size


@pytest.mark.parametrize(
    ("own", "size"),
    [
        pytest.param(3, ClaimSize(0, 8), id="all compete by their urgency"),
        pytest.param(0, ClaimSize(0, 8), id="and none is waited for"),
    ],
)
def test_where_many_wait_its_own_hosts_have_no_privilege_and_it_looks_at_once(own, size):
    assert _has_just_looked().next_claim(10, own, is_crowded=True, now=NOW) == size


@pytest.mark.parametrize(
    ("later_s", "size"),
    [
        pytest.param(0.0, ClaimSize(3, 0), id="not at once"),
        pytest.param(LOOK_S - 0.01, ClaimSize(3, 0), id="nor in a moment"),
        pytest.param(LOOK_S, ClaimSize(3, 4), id="but five times a second"),
    ],
)
def test_who_found_too_few_looks_for_others_only_now_and_then(later_s, size):
    assert _has_just_looked().next_claim(7, 3, is_crowded=False, now=NOW + later_s) == size


def test_a_claim_for_its_own_hosts_does_not_put_the_look_off():
    claim_policy = _hungry()

    claim_policy.rest_s(ClaimSize(3, 0), 0, will_grow=False, now=NOW)

    assert claim_policy.next_claim(7, 0, is_crowded=False, now=NOW).others == 4


@pytest.mark.parametrize(
    ("size", "taken", "will_grow", "rest_s"),
    [
        pytest.param(ClaimSize(0, 16), 16, False, 0.0, id="more may wait"),
        pytest.param(ClaimSize(2, 4), 4, True, 0.0, id="more may wait, own or not"),
        pytest.param(ClaimSize(0, 16), 15, False, 1.0, id="those were all"),
        pytest.param(ClaimSize(0, 16), 0, False, 1.0, id="there was none"),
        pytest.param(ClaimSize(5, 0), 0, False, 1.0, id="only our own were wanted"),
        pytest.param(ClaimSize(0, 0), 0, False, 1.0, id="nothing was wanted"),
        pytest.param(ClaimSize(0, 16), 0, True, 0.2, id="somebody has hosts to spare"),
    ],
)
def test_a_worker_rests_when_nothing_more_is_to_be_had(size, taken, will_grow, rest_s):
    assert _hungry().rest_s(size, taken, will_grow=will_grow, now=NOW) == rest_s


@pytest.mark.parametrize(
    ("size", "later_s", "rest_s"),
    [
        pytest.param(ClaimSize(5, 0), LOOK_S / 2, LOOK_S, id="until it may look"),
        pytest.param(ClaimSize(0, 8), LOOK_S / 2, LOOK_S, id="many waited a moment ago"),
        pytest.param(ClaimSize(0, 0), LOOK_S, IDLE_S, id="that moment is over"),
    ],
)
def test_who_may_not_look_yet_rests_for_a_moment_only(size, later_s, rest_s):
    assert _has_just_looked().rest_s(size, 0, will_grow=False, now=NOW + later_s) == rest_s


@pytest.mark.parametrize(
    ("size", "taken", "is_filled"),
    [(ClaimSize(0, 4), 4, True), (ClaimSize(9, 4), 3, False), (ClaimSize(9, 0), 0, False)],
)
def test_more_hosts_may_be_due_when_a_claim_returned_all_it_asked_for(size, taken, is_filled):
    assert size.is_filled_by(taken) is is_filled
