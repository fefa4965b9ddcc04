"""Adaptive intervals: a source that does not change is visited less often (section ADP). Pure.

The interval is the baseline, doubled for each visit in a row that found the same content, up to 24 hours.
`rhythm.next_run_after` puts the next run into a slot (ADP-07).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

LONGEST_WAIT = timedelta(hours=24)

_MOST_DOUBLINGS = 20
_UNITS = (("day", timedelta(days=1)), ("h", timedelta(hours=1)), ("min", timedelta(minutes=1)))


@dataclass(frozen=True, slots=True)
class AdaptiveState:
    """What is known about the changes of a source (ADP-05)."""

    last_hash: str
    last_change_at: datetime
    unchanged_count: int
    current_interval: timedelta


@dataclass(frozen=True, slots=True)
class Observed:
    """The state after a run, the interval to the next run, and a warning for the log."""

    state: AdaptiveState | None
    interval: timedelta
    warning: str | None = None


def interval_after(unchanged_count: int, baseline: timedelta) -> timedelta:
    """The baseline × 2^unchanged_count, at most 24 h and never below the baseline (ADP-04)."""
    doubled = baseline * (1 << min(max(unchanged_count, 0), _MOST_DOUBLINGS))
    return max(baseline, min(doubled, LONGEST_WAIT))


def observe(
    before: AdaptiveState | None, content_hash: str, baseline: timedelta, now: datetime
) -> AdaptiveState:
    """The state after a visit. The first visit counts as a change (ADP-03)."""
    if before is None or before.last_hash != content_hash:
        return AdaptiveState(content_hash, now, 0, baseline)
    unchanged = before.unchanged_count + 1
    return AdaptiveState(content_hash, before.last_change_at, unchanged, interval_after(unchanged, baseline))


def after_run(
    before: AdaptiveState | None,
    *,
    is_adaptive: bool,
    has_succeeded: bool,
    content_hash: str | None,
    baseline: timedelta,
    now: datetime,
) -> Observed:
    """What a run means for the interval.

    A job that is not adaptive, a run without a hash and a failed run do not change the state (ADP-01, ADP-06,
    ADP-09).
    """
    if not is_adaptive:
        return Observed(before, baseline)
    if not has_succeeded:
        return Observed(
            before, baseline if before is None else interval_after(before.unchanged_count, baseline)
        )
    if not content_hash:
        return Observed(before, baseline, "the run has no content hash: the fixed interval is used")
    state = observe(before, content_hash, baseline, now)
    return Observed(state, state.current_interval)


def reason(state: AdaptiveState | None, baseline: timedelta) -> str:
    """Why the interval is what it is: `unchanged 3 times: every 4 h instead of 30 min` (ADP-10)."""
    if state is None:
        return f"not visited yet: every {_length(baseline)}"
    if state.unchanged_count == 0:
        return f"changed at the last visit: every {_length(baseline)}"
    times = "once" if state.unchanged_count == 1 else f"{state.unchanged_count} times"
    interval = interval_after(state.unchanged_count, baseline)
    if interval == baseline:
        return f"unchanged {times}: every {_length(baseline)}, which is the longest wait"
    return f"unchanged {times}: every {_length(interval)} instead of {_length(baseline)}"


def _length(interval: timedelta) -> str:
    """`30 min`, `4 h`, `1 h 16 min`, `7 days`."""
    parts, rest = [], interval
    for unit, length in _UNITS:
        number, rest = divmod(rest, length)
        if number:
            parts.append(f"{number} {unit}s" if unit == "day" and number > 1 else f"{number} {unit}")
    return " ".join(parts) or "0 min"
