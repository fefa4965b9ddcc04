"""The answer to "why" for people: the conclusion first, then what led to it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from outrider.cli.hosts.report import delay_of, rest_of, state_of, trouble_of
from outrider.cli.output import console, plain, table
from outrider.cli.show.facts import facts
from outrider.cli.urls.report import COLOURS
from outrider.crawl.by_hand.explain import Explanation, Kept, Known, Ruling, Wish
from outrider.fetch.hops import PERMANENT_STATUSES
from outrider.frontier.model import History
from outrider.frontier.redirect_hops import SeenRedirect
from outrider.hosts.store import HostView
from outrider.settings import Settings
from outrider.urls import host_of
from outrider.urls.typed import Step
from outrider.wording import plural, size, span, when, words

_SHOWN_WAY = 6


def show(answer: Explanation, steps: Sequence[Step], settings: Settings) -> None:
    out, now = console(), datetime.now(UTC)
    out.print(plain(answer.url, "bold"))
    known = answer.known
    style = f"bold {COLOURS[known.state]}" if known else "bold yellow"
    out.print(plain(conclusion(answer, now), style))
    out.print()
    out.print(facts(_facts(answer, steps, settings, now)))
    if answer.history:
        out.print(_history(answer.history, now))


def conclusion(answer: Explanation, now: datetime) -> str:
    """What there is to know, in one sentence."""
    known = answer.known
    if known is None:
        if any(wish.refusal is None for wish in answer.wishes):
            return "Not known here: no page that was fetched links to it."
        return "Not known here, and no crawl here would take it." if answer.wishes else "Not known here."
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
    """The story of a page that redirects for now."""
    assert answer.known is not None
    assert answer.document is not None
    is_permanent = last.status in PERMANENT_STATUSES
    how = "permanently" if is_permanent else "temporarily"
    until = " until that is met again on a later day" if is_permanent else ""
    again = "asked again when somebody asks for it"
    if answer.known.next_fetch_at is not None:
        again = f"asked again {_not_before(answer.known, answer.host, now)}"
    return (
        f"Redirected {how} ({last.status}) to {last.to_url} on {when(last.last_seen_at, now)}; "
        f"the page fetched on {when(answer.document.fetched_at, now)} is kept{until}; {again}."
    )


def next_time(answer: Explanation, now: datetime) -> str:
    """When it is fetched next, and why not before."""
    known = answer.known
    if known is None:
        return "never, unless a link leads to it or somebody submits it"
    match known.state:
        case "fetched":
            return "not again, unless asked for: `outrider crawl … --recrawl`"
        case "alias":
            return "never: the address it leads to stands for it"
        case "dead" if known.reason == "robots_blocked":
            return _when_rules_change(answer, now)
        case "dead":
            return f"not again, unless asked for: `outrider retry {answer.url}`"
        case _:
            return _not_before(known, answer.host, now)


def _when_rules_change(answer: Explanation, now: datetime) -> str:
    """When a page that robots.txt blocks is looked at again."""
    by_hand = f"`outrider robots {host_of(answer.url)} --fetch` looks now"
    if answer.ruling is None:
        return f"when its robots.txt changes: {by_hand}"
    again = when(answer.ruling.file.expires_at, now)
    return f"when its robots.txt changes: `outrider watch` looks again from {again} on, {by_hand}"


def _not_before(known: Known, host: HostView | None, now: datetime) -> str:
    if known.is_held:
        return "its crawl was put aside; the same `outrider crawl` takes it up again"
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
        return f"its host may be asked again {when(host.due_at, now)}"
    return "it is due, and waits for its turn"


def _facts(
    answer: Explanation, steps: Sequence[Step], settings: Settings, now: datetime
) -> Iterator[tuple[str, object]]:
    for step in steps:
        yield "normalised", f"{step.address}  ({step.rule})"
    yield "next", next_time(answer, now)
    if answer.known is not None:
        yield from _of_entry(answer, answer.known, now)
    for wish in answer.wishes:
        yield "wanted by", _wish(wish)
    yield "robots.txt", _ruling(answer.ruling, now)
    if answer.host is not None:
        robots_s = answer.ruling.delay_s if answer.ruling else None
        yield "host", f"{answer.host.host}: {state_of(answer.host, now)}"
        if trouble := trouble_of(answer.host):
            yield "trouble", trouble
        yield "delay", delay_of(answer.host, robots_s, settings.hosts)
    if answer.document is not None:
        yield from _of_document(answer.document, now)


def _of_entry(answer: Explanation, known: Known, now: datetime) -> Iterator[tuple[str, object]]:
    yield "found", f"{when(known.discovered_at, now)}, {known.origin}, depth {known.depth}"
    for place, ancestor in enumerate(answer.way_here[:_SHOWN_WAY]):
        verb = "redirected from" if ancestor.is_redirect else "linked from"
        yield ("seen from", f"{'  ' * place}{verb} {ancestor.url}")
    if len(answer.way_here) > _SHOWN_WAY:
        yield "seen from", f"… and so on, up to {answer.way_here[-1].url}"
    for target in answer.way_on:
        yield "moved to", target
    for seen in answer.redirects[:_SHOWN_WAY]:
        since = f"{plural(seen.times, 'time')} since {when(seen.first_seen_at, now)}"
        yield "redirects", f"{seen.status} to {seen.to_url}, {since}"
    yield "source", f"{known.source}, priority {known.priority}"
    for wanted in answer.wanted_by:
        reason = f": {words(wanted.reason)}" if wanted.reason else ""
        yield "wanted by", f"{wanted.source}, {wanted.state}{reason}"
    if known.attempts:
        yield "attempts", f"{plural(known.attempts, 'failure')} in a row"


def _of_document(kept: Kept, now: datetime) -> Iterator[tuple[str, object]]:
    yield "title", kept.title or "none"
    parts = [plural(kept.words, "word"), size(kept.bytes), kept.language or "", kept.content_type or ""]
    yield "document", ", ".join(part for part in parts if part)
    yield "changed", f"{when(kept.changed_at, now)}, {plural(kept.versions, 'version')}"
    if kept.duplicate_of:
        yield "repeats", f"{'nearly ' if kept.is_near_duplicate else ''}the same text as {kept.duplicate_of}"
    if kept.canonical_url:
        yield "canonical", kept.canonical_url
    if kept.noindex:
        yield "asks for", "noindex"
    validators = [text for text in (kept.etag, kept.last_modified) if text]
    yield "validators", ", ".join(validators) or "none: a new fetch brings the whole page"


def _wish(wish: Wish) -> str:
    return f"{wish.crawl}: {'no, ' + wish.refusal if wish.refusal else 'yes, once a link leads to it'}"


def _ruling(ruling: Ruling | None, now: datetime) -> str:
    if ruling is None:
        return "none stored for this origin"
    verdict, file = ruling.verdict, ruling.file
    word = "allowed" if verdict.allowed else "not allowed"
    if verdict.rule is not None:
        why = f"by line {verdict.line}: {verdict.rule}"
    else:
        why = "no rule matches" if file.body else f"the file answered {file.status}"
    age = span((now - file.fetched_at).total_seconds())
    return f"{word}, {why} ({file.origin}/robots.txt, fetched {age} ago)"


def _history(history: Sequence[History], now: datetime) -> object:
    rows = (
        (
            when(line.at, now),
            line.outcome,
            line.status or "",
            span(line.elapsed_ms / 1000),
            size(line.wire_bytes),
            line.worker_id or "",
            line.error_message or line.content_type or "",
        )
        for line in history
    )
    return table(
        ("asked", "outcome", "status", "took", "bytes", "worker", "content or error"),
        rows,
        right=("took", "bytes", "worker"),
    )
