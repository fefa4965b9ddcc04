"""How long to wait between two requests to one host.

The delay has two parts. The base is the delay of the host's robots.txt, of the operator, or the
default. The penalty comes from answers of 429: every such answer doubles the whole delay, and ten
successes in a row halve the penalty until it is gone.

A host that answers 429 again and again is left alone for longer every time, up to 8 hours (decision 0035).
"""

import math
from dataclasses import replace
from datetime import timedelta

from outrider.hosts.model import HostState, Reaction
from outrider.hosts.options import LONGEST_DELAY_MS, HostOptions

CALM_SUCCESSES = 10  # successes in a row that halve the penalty
FIRST_PENALTY_MS = 1_000  # doubling a delay of 0 has no effect
SMALLEST_PENALTY_MS = 100  # a smaller penalty becomes 0
FIRST_429_WAIT = timedelta(minutes=1)
LONG_RETRY_AFTER = timedelta(minutes=15)  # from this on Retry-After is taken as given
LONGEST_429_WAIT = timedelta(hours=8)  # as for feeds (FED-13)
RESTS_FROM_429 = 5  # answers in a row after which the host rests


def base_delay(robots_s: float | None, asked_s: float | None, options: HostOptions) -> int:
    """Milliseconds between requests before any penalty (CLM-07).

    An operator can make the delay of robots.txt longer but not shorter. Without a delay in robots.txt, the
    operator's delay counts, else the default.
    """
    if robots_s is not None and asked_s is not None:
        return max(_milliseconds(robots_s), _milliseconds(asked_s))
    if robots_s is not None:
        return _milliseconds(robots_s)
    if asked_s is not None:
        return _milliseconds(asked_s)
    return options.delay_ms


def effective_delay_ms(state: HostState) -> int:
    """The delay between two requests: base and penalty together (CON-21)."""
    return min(state.delay_ms + state.penalty_ms, LONGEST_DELAY_MS)


def spread_ms(options: HostOptions, jitter: float) -> int:
    """The random extra of one request (CLM-14); `jitter` is drawn from 0..1."""
    return int(options.random_delay_ms * jitter)


def after_429(state: HostState, retry_after: timedelta | None, options: HostOptions) -> Reaction:
    """Too many requests: double the delay, and rest for as long as the host asks (CLM-10).

    From the fifth such answer in a row on the host rests longer every time. A host that names a long time is
    asked again after that time.
    """
    doubled = max(state.delay_ms + 2 * state.penalty_ms, FIRST_PENALTY_MS)
    penalty = max(state.penalty_ms, min(doubled, options.penalty_cap_ms))
    slowed = replace(state, penalty_ms=penalty, calm=0, rate_limited=state.rate_limited + 1)
    asked = pause_for(retry_after, options)
    if slowed.rate_limited < RESTS_FROM_429 or asked >= LONG_RETRY_AFTER:
        return Reaction(slowed, asked)
    return Reaction(slowed, max(rate_limit_wait(slowed.rate_limited), asked))


def after_other_answer(state: HostState) -> HostState:
    """Reset the count of 429 answers in a row after any other answer."""
    return replace(state, rate_limited=0) if state.rate_limited else state


def rate_limit_wait(times: int) -> timedelta:
    """How long to wait after so many answers of 429 in a row: a minute, twice as long each time, 8 hours."""
    return min(FIRST_429_WAIT * (1 << min(max(times - 1, 0), 10)), LONGEST_429_WAIT)


def after_success(state: HostState) -> HostState:
    """A good answer: after enough of them the penalty is halved, and at last forgotten."""
    state = after_other_answer(state)
    if state.penalty_ms == 0:
        return state  # the common case: nothing to remember, nothing to write
    if state.calm + 1 < CALM_SUCCESSES:
        return replace(state, calm=state.calm + 1)
    halved = state.penalty_ms // 2
    return replace(state, penalty_ms=halved if halved >= SMALLEST_PENALTY_MS else 0, calm=0)


def pause_for(retry_after: timedelta | None, options: HostOptions) -> timedelta:
    """The pause of Retry-After, up to the limit: a server with a wrong clock can ask for years."""
    return min(max(retry_after or timedelta(0), timedelta(0)), options.pause_cap)


def _milliseconds(seconds: float) -> int:
    """Milliseconds, rounded up, within 0..24 h; 0 for NaN."""
    if math.isnan(seconds) or seconds <= 0:
        return 0
    return LONGEST_DELAY_MS if seconds * 1_000 >= LONGEST_DELAY_MS else math.ceil(seconds * 1_000)
