"""When a condition opens an alert, and when the alert is closed. Pure.

                 holds                held long enough             over
    nothing ──────────────▶ pending ──────────────────▶ open ─────────────▶ ending
       ▲                       │                          ▲                   │  │
       └───────────────────────┘                          └───────────────────┘  │ over for a while
          does not hold any more                             holds again         ▼
                                                                              closed

A condition that is over for a moment closes nothing, and one that holds for a moment opens nothing.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from outrider.alerts.model import AlertRecord


class AlertStep(StrEnum):
    """What one pass does with one key."""

    HOLD = "hold"  # remember the condition
    FORGET = "forget"  # it did not hold long enough
    OPEN = "open"
    SEE = "see"  # an open alert goes on
    END = "end"  # the condition of an open alert is over, maybe for a moment
    CLOSE = "close"


def next_step(
    known: AlertRecord | None, *, is_on: bool, now: datetime, hold_s: float, close_after_s: float
) -> AlertStep | None:
    """The step for a key, whose condition holds at `now` or not; None: nothing is to be done."""
    if known is None:
        if not is_on:
            return None
        return AlertStep.HOLD if hold_s > 0 else AlertStep.OPEN
    if known.opened_at is None:
        if not is_on:
            return AlertStep.FORGET
        return AlertStep.OPEN if now - known.held_since >= timedelta(seconds=hold_s) else None
    if is_on:
        return AlertStep.SEE
    if close_after_s <= 0:
        return AlertStep.CLOSE
    if known.over_since is None:
        return AlertStep.END
    return AlertStep.CLOSE if now - known.over_since >= timedelta(seconds=close_after_s) else None
