"""The state of a channel after a poll, from its state before and the result of the poll. Pure.

The wait after a failed poll doubles with each failure. A channel that keeps failing is disabled: it stays in
the queue and is polled again after a rest, so that a site which recovers needs no operator.
"""

from dataclasses import dataclass

from outrider.watch.polling.poll_errors import ALARMING, HOUR_S, TOLERANCE, PollError

LONGEST_S = 24 * HOUR_S  # FED-09
FIRST_429_S = 300.0
LONGEST_429_S = 8 * HOUR_S  # FED-13
SHORTEST_S = 60.0
_DOUBLINGS = 20  # exceeds every cap; more would overflow


@dataclass(frozen=True, slots=True)
class ChannelState:
    """A channel before a poll."""

    interval_s: float
    errors: int = 0  # in a row
    is_disabled: bool = False


@dataclass(frozen=True, slots=True)
class ChannelUpdate:
    """A channel after a poll."""

    next_in_s: float
    interval_s: float
    errors: int = 0
    error: PollError | None = None
    is_disabled: bool = False

    @property
    def is_alarming(self) -> bool:
        return self.errors >= ALARMING


def after_success(next_in_s: float, interval_s: float) -> ChannelUpdate:
    """An answer or a 304 resets the errors and enables a disabled channel (FED-04, FED-06, FED-12)."""
    return ChannelUpdate(max(next_in_s, SHORTEST_S), interval_s)


def after_failure(
    channel: ChannelState, error: PollError, retry_after_s: float | None = None, *, may_disable: bool = True
) -> ChannelUpdate:
    """Back off, or disable the channel at the tolerance of the error (FED-09, FED-12, FED-13, CON-31)."""
    errors = channel.errors + 1
    tolerance = TOLERANCE.get(error) if may_disable else None
    if tolerance is not None and (errors >= tolerance.errors or channel.is_disabled):
        return ChannelUpdate(tolerance.rest_s, channel.interval_s, errors, error, is_disabled=True)
    if error is PollError.RATE_LIMITED:
        wait_s = _doubled(FIRST_429_S, errors, LONGEST_429_S) if retry_after_s is None else retry_after_s
    else:
        wait_s = max(_doubled(channel.interval_s, errors, LONGEST_S), retry_after_s or 0.0)
    wait_s = min(max(wait_s, SHORTEST_S), LONGEST_S)
    return ChannelUpdate(wait_s, channel.interval_s, errors, error, is_disabled=channel.is_disabled)


def _doubled(first_s: float, times: int, longest_s: float) -> float:
    return float(min(first_s * (1 << min(times, _DOUBLINGS)), longest_s))
