"""An alert opens after its condition held for a while, and closes after it has been over for a while."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.alerts.lifecycle import AlertStep, next_step
from outrider.alerts.model import AlertRecord

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
HOLD_S, CLOSE_S = 120.0, 300.0


def seconds_ago(seconds: float) -> datetime:
    return NOON - timedelta(seconds=seconds)


def record(held: float, opened: float | None = None, over: float | None = None) -> AlertRecord:
    """An alert whose states began so many seconds before noon."""
    times = [None if each is None else seconds_ago(each) for each in (opened, over)]
    return AlertRecord(1, "key", "feed_errors", seconds_ago(held), *times)


@pytest.mark.parametrize(
    ("known", "is_on", "step"),
    [
        pytest.param(None, False, None, id="nothing is wrong"),
        pytest.param(None, True, AlertStep.HOLD, id="a condition is new"),
        pytest.param(record(119), True, None, id="it has not held long enough"),
        pytest.param(record(120), True, AlertStep.OPEN, id="it held for its time"),
        pytest.param(record(119), False, AlertStep.FORGET, id="it ended before its time"),
        pytest.param(record(900), False, AlertStep.FORGET, id="nobody looked while it held"),
        pytest.param(record(500, 300), True, AlertStep.SEE, id="it goes on"),
        pytest.param(record(500, 300), False, AlertStep.END, id="it may be over"),
        pytest.param(record(500, 400, 299), False, None, id="it has not been over long enough"),
        pytest.param(record(500, 400, 300), False, AlertStep.CLOSE, id="it has been over for its time"),
        pytest.param(record(500, 400, 299), True, AlertStep.SEE, id="it was over for a moment only"),
    ],
)
def test_the_steps_of_a_key(known, is_on, step):
    assert next_step(known, is_on=is_on, now=NOON, hold_s=HOLD_S, close_after_s=CLOSE_S) is step


def test_without_times_an_alert_opens_and_closes_at_once():
    at_once = {"now": NOON, "hold_s": 0.0, "close_after_s": 0.0}

    assert next_step(None, is_on=True, **at_once) is AlertStep.OPEN
    assert next_step(record(0, 0), is_on=False, **at_once) is AlertStep.CLOSE


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 400)), max_size=60))
def test_whatever_happens_opening_and_closing_alternate_and_nothing_opens_early(story):
    """A model of the table: each step is applied as the store does."""
    known: AlertRecord | None = None
    told: list[AlertStep] = []
    now, on_since, off_since = NOON, None, NOON
    for is_on, wait_s in story:
        now += timedelta(seconds=wait_s)
        on_since = (on_since or now) if is_on else None
        off_since = None if is_on else (off_since or now)
        step = next_step(known, is_on=is_on, now=now, hold_s=HOLD_S, close_after_s=CLOSE_S)
        match step:
            case AlertStep.HOLD:
                known = AlertRecord(1, "key", "kind", now, None, None)
            case AlertStep.OPEN:
                assert now - on_since >= timedelta(seconds=HOLD_S)
                known = replace(known, opened_at=now)
            case AlertStep.SEE:
                known = replace(known, over_since=None)
            case AlertStep.END:
                known = replace(known, over_since=now)
            case AlertStep.CLOSE:
                assert now - off_since >= timedelta(seconds=CLOSE_S)
                known = None
            case AlertStep.FORGET:
                known = None
        if step in (AlertStep.OPEN, AlertStep.CLOSE):
            told.append(step)

    assert told == [(AlertStep.OPEN, AlertStep.CLOSE)[number % 2] for number in range(len(told))]
