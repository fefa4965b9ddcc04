"""Print the answer of `outrider why`: the conclusion first, then the facts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from outrider.cli.hosts.report import delay_of, trouble_of
from outrider.cli.output import console, plain, table
from outrider.cli.show.facts import facts
from outrider.cli.urls.report import COLOURS
from outrider.frontier.model import History
from outrider.services.hosts.words import state_of
from outrider.services.urls.explanation import (
    CrawlVerdict,
    DocumentFacts,
    EntryFacts,
    ExplainedUrl,
    RobotsRuling,
)
from outrider.settings import Settings
from outrider.wording import plural, size, span, when, words

_SHOWN_WAY = 6


def show(answer: ExplainedUrl, settings: Settings) -> None:
    out, now = console(), datetime.now(UTC)
    out.print(plain(answer.url, "bold"))
    known = answer.known
    style = f"bold {COLOURS[known.state]}" if known else "bold yellow"
    out.print(plain(answer.conclusion, style))
    out.print()
    out.print(facts(_facts(answer, settings, now)))
    if answer.history:
        out.print(_history(answer.history, now))


def _facts(answer: ExplainedUrl, settings: Settings, now: datetime) -> Iterator[tuple[str, object]]:
    for step in answer.normalised_by:
        yield "normalised", f"{step.address}  ({step.rule})"
    yield "next", answer.next
    if answer.known is not None:
        yield from _of_entry(answer, answer.known, now)
    for verdict in answer.crawl_verdicts:
        yield "wanted by", _verdict(verdict)
    yield "robots.txt", _ruling(answer.ruling, now)
    if answer.host is not None:
        robots_s = answer.ruling.delay_s if answer.ruling else None
        yield "host", f"{answer.host.host}: {state_of(answer.host, now)}"
        if trouble := trouble_of(answer.host):
            yield "trouble", trouble
        yield "delay", delay_of(answer.host, robots_s, settings.hosts)
    if answer.document is not None:
        yield from _of_document(answer.document, now)


def _of_entry(answer: ExplainedUrl, known: EntryFacts, now: datetime) -> Iterator[tuple[str, object]]:
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


def _of_document(kept: DocumentFacts, now: datetime) -> Iterator[tuple[str, object]]:
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


def _verdict(verdict: CrawlVerdict) -> str:
    return (
        f"{verdict.crawl}: {'no, ' + verdict.refusal if verdict.refusal else 'yes, once a link leads to it'}"
    )


def _ruling(ruling: RobotsRuling | None, now: datetime) -> str:
    if ruling is None:
        return "none stored for this origin"
    verdict, file = ruling.verdict, ruling.file
    word = "allowed" if verdict.allowed else "not allowed"
    if verdict.rule is not None:
        why = f"by line {verdict.line}: {verdict.rule}"
    else:
        why = "no rule matches" if not ruling.is_empty else f"the file answered {file.status}"
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
