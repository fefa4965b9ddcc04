"""When a process applies, renews and steps down; the clock is a number."""

import pytest

from outrider.coordination.deadline import valid_until
from outrider.coordination.election_policy import ElectionStep, Standing, elected, not_elected, not_renewed
from outrider.coordination.options import CoordinationOptions

REQUIRED = CoordinationOptions()
NOW = 1_000.0


def leader() -> Standing:
    return elected(NOW, valid_until(NOW, REQUIRED.ttl_s), REQUIRED)


def test_a_process_applies_at_once_and_then_every_five_seconds():
    assert Standing().step(NOW) is ElectionStep.APPLY

    waiting = not_elected(NOW, REQUIRED)

    assert (waiting.step(NOW + 4.99), waiting.step(NOW + 5.0)) == (ElectionStep.WAIT, ElectionStep.APPLY)
    assert waiting.wait_s(NOW) == 5.0


def test_a_leader_renews_every_ten_seconds():
    assert (leader().step(NOW + 9.99), leader().step(NOW + 10.0)) == (ElectionStep.WAIT, ElectionStep.RENEW)
    assert leader().wait_s(NOW) == 10.0


def test_a_leader_that_gets_no_answer_renews_again_until_its_end():
    standing, asked, now = leader(), [], NOW
    while (step := standing.step(now)) is not ElectionStep.STEP_DOWN:
        if step is ElectionStep.RENEW:
            asked.append(now - NOW)
            standing = not_renewed(standing, now, REQUIRED)
        now += standing.wait_s(now)

    assert asked == [10.0, 15.0, 20.0, 25.0]


def test_a_leader_that_was_not_renewed_steps_down_before_its_lease_ends():
    just_before_the_end = NOW + REQUIRED.ttl_s - 0.2

    assert leader().step(just_before_the_end) is ElectionStep.STEP_DOWN
    assert not leader().is_leading(just_before_the_end)
    assert leader().is_leading(NOW + 29.0)


def test_stepping_down_comes_before_a_renewal_that_is_due():
    assert leader().step(NOW + 500.0) is ElectionStep.STEP_DOWN


def test_a_loser_does_not_apply_again_at_once():
    assert not_elected(NOW, REQUIRED).step(NOW) is ElectionStep.WAIT
    assert not not_elected(NOW, REQUIRED).is_leading(NOW)


def test_the_times_are_those_required():
    assert (REQUIRED.ttl_s, REQUIRED.renew_s, REQUIRED.retry_s) == (30.0, 10.0, 5.0)


def test_a_renewal_that_could_come_too_late_is_refused():
    with pytest.raises(ValueError, match="at most half of OUTRIDER_LEADER_TTL"):
        CoordinationOptions(ttl_s=30.0, renew_s=16.0)
