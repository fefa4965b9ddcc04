"""The state of a host, in few words. Pure."""

from datetime import datetime

from outrider.hosts.model import BreakerState
from outrider.hosts.view import HostView
from outrider.wording import plural, when

_ASKS_TO_WAIT = (429, 503)  # answers that may carry a Retry-After


def state_of(view: HostView, now: datetime) -> str:
    """The state of the host, in few words."""
    if view.is_blocked:
        return f"blocked: {view.block_reason or 'no reason given'}"
    if view.leased_to:
        return f"held by {view.leased_to}"
    if view.breaker is not BreakerState.CLOSED:
        rest = f", tried again {when(view.due_at, now)}" if view.due_at else ""
        return (
            f"circuit {view.breaker.value.replace('_', '-')} after {plural(view.failures, 'failure')}{rest}"
        )
    if resting := rest_of(view, now):
        return resting
    if view.due_at is None:
        return "nothing queued"
    return "due" if view.due_at <= now else f"due {when(view.due_at, now)}"


def rest_of(view: HostView, now: datetime) -> str | None:
    """Until when and why a host rests for longer than its delay; None if it does not rest."""
    allowed_at = view.next_allowed_at
    delay_s = ((view.delay_ms or 0) + view.penalty_ms) / 1000
    if allowed_at is None or (allowed_at - now).total_seconds() <= delay_s:
        return None
    if view.rate_limited > 1:
        why = f"it answered 429 {plural(view.rate_limited, 'time')} in a row"
    elif view.robots_failures:
        why = "its robots.txt cannot be read"
    elif view.last_status in _ASKS_TO_WAIT:
        why = f"it answered {view.last_status} and asked for it"
    else:
        return None
    return f"left alone until {when(allowed_at, now)}: {why}"


def delay_words(delay_ms: int | None, penalty_ms: int, asked_ms: int | None, robots_s: float | None) -> str:
    """The time between two requests to a host, and why it is so long."""
    if delay_ms is None:
        return "no URL of it was queued yet, so no delay is set"
    if robots_s is not None and round(robots_s * 1000) >= (asked_ms or 0):
        why = "its robots.txt asks for it"
    elif asked_ms is not None:
        why = "an administrator set it"
    else:
        why = "the default"
    told = f"{_seconds(delay_ms)} between two requests: {why}"
    return f"{told}, and {_seconds(penalty_ms)} more because of its last answers" if penalty_ms else told


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g} s"
