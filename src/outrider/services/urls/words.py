"""The conclusion about a URL, in sentences. Pure."""

from datetime import datetime

from outrider.fetch.hops import PERMANENT_STATUSES
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.redirect_hops import SeenRedirect
from outrider.hosts.view import HostView
from outrider.services.hosts.words import rest_of, state_of
from outrider.services.urls.explanation import EntryFacts, Explanation
from outrider.urls import host_of
from outrider.wording import when, words


def conclusion(answer: Explanation, now: datetime) -> str:
    """The state of the URL, in one sentence."""
    known = answer.known
    if known is None:
        if any(verdict.refusal is None for verdict in answer.crawl_verdicts):
            return "Not known here: no page that was fetched links to it."
        return (
            "Not known here, and no crawl here would take it." if answer.crawl_verdicts else "Not known here."
        )
    if answer.unconfirmed is not None:
        return _unconfirmed(answer, answer.unconfirmed, now)
    match known.state:
        case "fetched":
            return f"Fetched {when(known.last_fetch_at, now)}." if known.last_fetch_at else "Fetched."
        case "alias":
            return f"It redirects to {answer.way_on[-1] if answer.way_on else 'another address'}."
        case "dead":
            return f"Dead: {words(known.reason or 'no reason given')}."
        case _:
            return f"Queued: {_not_before(known, answer.host, now)}."


def _unconfirmed(answer: Explanation, last: SeenRedirect, now: datetime) -> str:
    """The sentence about a page that redirects for now."""
    assert answer.known is not None
    assert answer.document is not None
    is_permanent = last.status in PERMANENT_STATUSES
    how = "permanently" if is_permanent else "temporarily"
    until = " until that is met again on a later day" if is_permanent else ""
    again = "requested again only on demand"
    if answer.known.next_fetch_at is not None:
        again = f"requested again {_not_before(answer.known, answer.host, now)}"
    return (
        f"Redirected {how} ({last.status}) to {last.to_url} on {when(last.last_seen_at, now)}; "
        f"the page fetched on {when(answer.document.fetched_at, now)} is kept{until}; {again}."
    )


def next_time(answer: Explanation, now: datetime) -> str:
    """When the URL is fetched next, and why not before."""
    known = answer.known
    if known is None:
        return "never, unless a link points to it or it is submitted"
    match known.state:
        case "fetched":
            return "not again, unless asked for: `outrider crawl … --recrawl`"
        case "alias":
            return "never: the address it leads to stands for it"
        case "dead" if known.reason == DeadReason.ROBOTS_BLOCKED:
            return _when_rules_change(answer, now)
        case "dead":
            return f"not again, unless asked for: `outrider retry {answer.url}`"
        case _:
            return _not_before(known, answer.host, now)


def _when_rules_change(answer: Explanation, now: datetime) -> str:
    """When a page that robots.txt blocks is checked again."""
    by_hand = f"`outrider robots {host_of(answer.url)} --fetch` checks now"
    if answer.ruling is None:
        return f"when its robots.txt changes: {by_hand}"
    again = when(answer.ruling.file.expires_at, now)
    return f"when its robots.txt changes: `outrider watch` checks again from {again} on, {by_hand}"


def _not_before(known: EntryFacts, host: HostView | None, now: datetime) -> str:
    if known.is_held:
        return (
            "its source is on hold; the same `outrider crawl` command resumes a suspended crawl, "
            "`outrider source enable` a disabled source"
        )
    if host is not None and host.is_blocked:
        return f"its host is {state_of(host, now)}"
    if known.next_fetch_at is not None and known.next_fetch_at > now:
        tries = f", after {words(known.reason)}" if known.reason else ""
        rest = rest_of(host, now) if host else None
        is_sooner = host is not None and (host.next_allowed_at or now) > known.next_fetch_at
        if rest and is_sooner:
            return f"its host is {rest}"
        return f"not before {when(known.next_fetch_at, now)}{tries}"
    if host is not None and host.leased_to is None and (rest := rest_of(host, now)):
        return f"its host is {rest}"
    if host is not None and host.due_at is not None and host.due_at > now and host.leased_to is None:
        return f"its host is due {when(host.due_at, now)}"
    return "it is due and waits for a worker"
