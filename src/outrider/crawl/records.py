"""How visits are recorded: from entries and outcomes to the rows of a batch. Pure."""

import time

from outrider.crawl.batch import Batch, Counts
from outrider.crawl.decide import health_of
from outrider.crawl.run_counts import count_run_request
from outrider.fetch.content import is_html
from outrider.fetch.hops import RedirectPolicy
from outrider.fetch.outcome import Exchange, Failed, Fetched, Outcome, Redirected, Refused, Rejected
from outrider.fetch.outcome_name import OutcomeName, name_of
from outrider.frontier.counter_name import CounterName, CounterPrefix, counter_of, status_counter
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Completion, Entry, EntryKind, RequestNote, Submission
from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.hosts.model import Health
from outrider.urls import UrlKey, host_of, key_of

LONGEST_NOTE = 500
LONGEST_CONTENT_TYPE = 200
_DIGITS = 18  # of the largest Content-Length that the column holds
# Used for every page, and enum members are slow to look up.
_REQUESTS, _BYTES, _FETCHED = CounterName.REQUESTS, CounterName.BYTES, OutcomeName.FETCHED


def note_request(batch: Batch, entry: Entry, outcome: Outcome, ended: float | None = None) -> None:
    """Record one request in the history and in the counters. It ended now, or at `ended` (monotonic)."""
    ended = time.monotonic() if ended is None else ended
    if isinstance(outcome, Fetched):
        is_page = entry.kind is EntryKind.PAGE and is_html(outcome.content_type)
        note = _note_of_answer(entry.key, outcome, is_page, ended)
    else:
        note = note_of(entry.key, outcome, ended)
        if isinstance(outcome, Redirected):
            batch.write_row(note_hops, hop_of(entry.key, outcome, ended))
    batch.notes.append(note)
    count_request(batch, entry.source_id, outcome, note.status, note.wire_bytes)
    if entry.run_id:
        count_run_request(batch.run_counts[entry.run_id], outcome, note)


def count_request(
    counts: Counts, source_id: int, outcome: Outcome, status: int | None, wire_bytes: int
) -> None:
    """Count one request for a source."""
    counts.count(source_id, _REQUESTS)
    if wire_bytes:
        counts.count(source_id, _BYTES, wire_bytes)
    if status:
        counts.count(source_id, status_counter(status))
    else:
        counts.count(source_id, counter_of(CounterPrefix.FAILURE, name_of(outcome)))


def note_of(key: UrlKey, outcome: Outcome, ended: float) -> RequestNote:
    """The history row of a request that was not made for a page."""
    if isinstance(outcome, Fetched):
        return _note_of_answer(key, outcome, False, ended)
    status, elapsed_ms, wire_bytes = measures_of(outcome)
    content_type, content_length = content_of(outcome)
    return RequestNote(
        key=key,
        outcome=_in_words(outcome),
        status=status,
        elapsed_ms=elapsed_ms,
        wire_bytes=wire_bytes,
        ended=ended,
        is_error=health_of(outcome) is Health.BAD,
        content_length=content_length,
        content_type=content_type,
        error_message=error_of(outcome),
    )


def _note_of_answer(key: UrlKey, fetched: Fetched, is_page: bool, ended: float) -> RequestNote:
    """The same for a whole answer: the usual case, without the look at all others."""
    exchange = fetched.exchange
    content_type, content_length = _content_of_exchange(exchange)
    return RequestNote(
        key,
        _FETCHED,
        exchange.status,
        exchange.elapsed_ms,
        exchange.wire_bytes,
        ended,
        is_page,
        False,
        content_length,
        content_type,
    )


def hop_of(key: UrlKey, redirect: Redirected, ended: float) -> HopNote:
    """The history row of a redirect (RDC-15), whether or not the redirect is followed."""
    exchange = redirect.exchange
    return HopNote(key, exchange.url, redirect.target or redirect.location, exchange.status, ended)


def _in_words(outcome: Outcome) -> str:
    """The outcome in words; a redirect includes its target, so that the history needs no second look-up."""
    if isinstance(outcome, Redirected):
        return f"{OutcomeName.REDIRECTED} to {outcome.target or outcome.location}"[:LONGEST_NOTE]
    return name_of(outcome)


def completion_of(
    entry: Entry,
    outcome: Outcome | None,
    *,
    reason: str | None = None,
    retry_in_s: float | None = None,
    attempts: int | None = None,
    moved_to: UrlKey | None = None,
) -> Completion:
    """The result of an entry. Without `attempts`, dead entries keep their count and others start at 0."""
    if attempts is None:
        is_dead = reason is not None and retry_in_s is None
        attempts = entry.attempts if is_dead else 0
    return Completion(
        key=entry.key,
        url=entry.url,
        source_id=entry.source_id,
        origin=entry.origin,
        kind=entry.kind,
        priority=entry.priority,
        depth=entry.depth,
        fetches=entry.fetches,
        status=None if outcome is None else measures_of(outcome)[0],
        reason=reason,
        retry_in_s=retry_in_s,
        attempts=attempts,
        moved_to=moved_to,
        shared=entry.shared,
        run_id=entry.run_id,
    )


def settle_move(
    batch: Batch, entry: Entry, target: str, outcome: Outcome | None, policy: RedirectPolicy
) -> None:
    """Queue the target of a redirect, and complete the entry as an alias of the target."""
    batch.submit([successor_of(entry, target)])
    batch.count(entry.source_id, CounterName.REDIRECTS)
    if policy is RedirectPolicy.DEAD_AND_SUBMIT:
        batch.complete(completion_of(entry, outcome, reason=DeadReason.REDIRECT))
    else:
        batch.complete(completion_of(entry, outcome, moved_to=key_of(target)))


def successor_of(entry: Entry, target: str) -> Submission:
    """The entry for the target of a redirect: it inherits the priority and records the chain of redirects."""
    return Submission(
        key=key_of(target),
        url=target,
        host=host_of(target),
        priority=entry.priority,
        depth=entry.depth,
        source_id=entry.source_id,
        origin=entry.origin,
        kind=entry.kind,
        parent=entry.key,
        hops=entry.hops + 1,
        via=f"{entry.via},{entry.key.hash}" if entry.via else entry.key.hash,
        run_id=entry.run_id,
    )


def measures_of(outcome: Outcome) -> tuple[int | None, int, int]:
    """Status, milliseconds and bytes on the wire; None or 0 where the outcome has none."""
    match outcome:
        case Failed():
            return outcome.status, outcome.elapsed_ms, 0
        case Refused():
            return None, 0, 0
        case _:
            exchange = outcome.exchange
            return exchange.status, exchange.elapsed_ms, exchange.wire_bytes


def content_of(outcome: Outcome) -> tuple[str | None, int | None]:
    """The content type and the declared length of an answer; without one, the length of its body."""
    if isinstance(outcome, Failed | Refused):
        return None, None
    return _content_of_exchange(outcome.exchange)


def _content_of_exchange(exchange: Exchange) -> tuple[str | None, int | None]:
    headers = exchange.headers
    kind, declared = headers.get("content-type"), headers.get("content-length")
    if declared is not None and declared.isascii() and declared.isdecimal() and len(declared) < _DIGITS:
        return kind and kind[:LONGEST_CONTENT_TYPE], int(declared)
    return kind and kind[:LONGEST_CONTENT_TYPE], exchange.wire_bytes


def error_of(outcome: Outcome) -> str | None:
    """Why an answer is not usable, in words; None when it is."""
    match outcome:
        case Failed() | Refused():
            return outcome.message[:LONGEST_NOTE]
        case Rejected():
            return f"the server answered {outcome.exchange.status}"
        case Redirected(target=None):
            return (outcome.why or "the redirect leads nowhere")[:LONGEST_NOTE]
    return None
