"""How an outcome changes the delay and the breaker of its host. Pure."""

from datetime import timedelta

from outrider.crawl.decide import TOO_MANY_REQUESTS, health_of
from outrider.fetch.outcome import Outcome, Rejected
from outrider.hosts.breaker import on_result
from outrider.hosts.model import NO_PAUSE, Health, HostState, Reaction
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import after_429, after_other_answer, after_success, pause_for


def apply_outcome(state: HostState, outcome: Outcome, options: HostOptions) -> Reaction:
    """The host's state after this answer, and how long to pause beyond its delay."""
    health = health_of(outcome)
    reaction = on_result(state, health, options)
    if health is Health.GOOD:
        calmer = after_success(reaction.state)
        return reaction if calmer is reaction.state else Reaction(calmer, reaction.pause)
    if isinstance(outcome, Rejected):
        asked = asked_pause(outcome, options)
        if outcome.exchange.status == TOO_MANY_REQUESTS:
            slowed = after_429(reaction.state, asked, options)
            return Reaction(slowed.state, max(reaction.pause, slowed.pause))
        return Reaction(after_other_answer(reaction.state), max(reaction.pause, asked))
    return reaction


def asked_pause(outcome: Outcome, options: HostOptions) -> timedelta:
    """The pause that the host asks for, up to the ceiling; for pages and for robots.txt alike."""
    if not isinstance(outcome, Rejected) or outcome.retry_after_s is None:
        return NO_PAUSE
    return pause_for(timedelta(seconds=outcome.retry_after_s), options)
