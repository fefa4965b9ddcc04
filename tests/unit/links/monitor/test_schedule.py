"""When an address is checked again."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.links.evidence import Judgement, Verdict
from outrider.links.monitor.schedule import is_fresh, next_check_at
from outrider.links.reason import LinkReason

WEDNESDAY = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
MONDAY = datetime(2026, 3, 9, 3, 0, tzinfo=UTC)
OK = Judgement(Verdict.OK, LinkReason.ANSWERS)
WALL = Judgement(Verdict.UNCERTAIN, LinkReason.BOT_BLOCK)


@pytest.mark.parametrize("judgement", [OK, WALL, Judgement(Verdict.DEAD, LinkReason.NOT_FOUND)])
def test_links_are_checked_on_monday_at_three(judgement):
    assert next_check_at(judgement, WEDNESDAY) == MONDAY


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (MONDAY, MONDAY + timedelta(days=7)),
        (MONDAY - timedelta(hours=1), MONDAY + timedelta(days=7)),
        (MONDAY - timedelta(days=1), MONDAY),
    ],
)
def test_one_check_a_day_is_enough(now, expected):
    assert next_check_at(OK, now) == expected


def test_a_pending_failure_is_checked_again_after_a_day():
    pending = Judgement(Verdict.UNCERTAIN, LinkReason.NO_ANSWER, pending_since=WEDNESDAY)

    assert next_check_at(pending, WEDNESDAY) == WEDNESDAY + timedelta(days=1)
    assert next_check_at(pending, MONDAY - timedelta(hours=1)) == MONDAY + timedelta(hours=23)


def test_a_check_holds_for_a_day():
    assert is_fresh(WEDNESDAY, WEDNESDAY + timedelta(hours=23))
    assert not is_fresh(WEDNESDAY, WEDNESDAY + timedelta(days=1))
    assert not is_fresh(None, WEDNESDAY)
