"""The circuit breaker of one host: it stops requests to a server that is down, then probes it.

Five failures in a row open it. It rests for a minute, then half-opens: one request at a time, two
successes close it, a failure opens it again for twice as long, up to ten minutes. While it rests
the host's URLs stay queued and lose no attempts (BRK-05): nothing is claimed, so nothing fails.

The store turns the rest into the host's next allowed time. The worker that claims the host after it
calls `admit`, so no timer is needed.
"""

from dataclasses import replace
from datetime import timedelta

from outrider.hosts.model import BreakerState, Health, HostState, Reaction
from outrider.hosts.options import HostOptions

PROBES_TO_CLOSE = 2
LONGEST_REST = 10  # times the first one
ROBOTS_TRIES = 3
ROBOTS_REST = timedelta(hours=1)


def admit(state: HostState) -> HostState:
    """Half-open an open breaker: the host was claimed, so its rest is over."""
    if state.breaker is not BreakerState.OPEN:
        return state
    return replace(state, breaker=BreakerState.HALF_OPEN, probes_ok=0)


def batch_limit(state: HostState, wanted: int) -> int:
    """How many URLs to take at once: a host that may still be down gets one probe (BRK-03)."""
    return wanted if state.breaker is BreakerState.CLOSED else min(wanted, 1)


def on_result(state: HostState, health: Health, options: HostOptions) -> Reaction:
    """Apply the outcome of a request to the breaker."""
    match health:
        case Health.GOOD:
            return Reaction(_succeeded(state))
        case Health.NEUTRAL:
            return Reaction(state)
        case Health.BAD:
            return _failed(state, options)


def on_robots(state: HostState, *, answered: bool) -> Reaction:
    """Apply a request for robots.txt: after the third failure in a row the host waits an hour (CON-04).

    A 4xx is an answer. 5xx, timeouts and network errors are not: a host without known rules is not crawled.
    """
    if answered:
        return Reaction(replace(state, robots_failures=0) if state.robots_failures else state)
    failures = state.robots_failures + 1
    rest = ROBOTS_REST if failures >= ROBOTS_TRIES else timedelta(0)
    return Reaction(replace(state, robots_failures=failures), rest)


def _succeeded(state: HostState) -> HostState:
    if state.breaker is BreakerState.CLOSED:
        return replace(state, failures=0) if state.failures else state
    if state.probes_ok + 1 >= PROBES_TO_CLOSE:
        return replace(state, breaker=BreakerState.CLOSED, failures=0, trips=0, probes_ok=0)
    return replace(state, breaker=BreakerState.HALF_OPEN, failures=0, probes_ok=state.probes_ok + 1)


def _failed(state: HostState, options: HostOptions) -> Reaction:
    failures = state.failures + 1
    if state.breaker is BreakerState.CLOSED and failures < options.breaker_failures:
        return Reaction(replace(state, failures=failures))
    trips = state.trips + 1
    opened = replace(state, breaker=BreakerState.OPEN, failures=failures, trips=trips, probes_ok=0)
    # The exponent is bounded: a host that is down for months must not build a number of a thousand digits.
    times = min(1 << min(trips - 1, 10), LONGEST_REST)
    return Reaction(opened, options.breaker_rest * times)
