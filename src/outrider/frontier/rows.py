"""Converts rows of a claim to leases and entries, and results of visits to rows of a flush."""

from operator import itemgetter
from typing import Any

from outrider.frontier.lease import Lease
from outrider.frontier.model import (
    ORIGIN_CODE,
    ORIGINS,
    Completion,
    Entry,
    EntryKind,
    RequestNote,
    SourceInterest,
    State,
    Submission,
)
from outrider.hosts.model import BreakerState, HostState
from outrider.urls import UrlKey

BREAKERS = tuple(BreakerState)
KINDS = tuple(EntryKind)
# One look at a row in place of eighteen, because every page takes it.
_ENTRY_COLUMNS = itemgetter(
    *("host_id", "url_hash", "url", "prio", "source_id", "origin", "kind", "depth", "attempts", "fetches"),
    *("hops", "via", "etag", "last_modified", "reason", "shared", "run_id", "content_hash"),
)
_NO_KEY = (None, None)
_MOST_BYTES = 2**31 - 1  # the greatest value of the column


def lease_with_entries(rows: list[Any], expires: float) -> Lease:
    first = rows[0]
    lease = lease_of(first, first["host"] or "", expires)
    lease.asked_delay_ms = first["asked_delay_ms"]
    lease.pages = first["host_pages"] or 0
    lease.entries = [_entry(row) for row in rows if row["url_hash"] is not None]
    return lease


def lease_of(first: Any, host: str, expires: float) -> Lease:
    state = HostState(
        delay_ms=first["delay_ms"],
        penalty_ms=first["penalty_ms"],
        calm=first["calm"],
        rate_limited=first["rate_limited"],
        breaker=BREAKERS[first["breaker"]],
        failures=first["failures"],
        trips=first["trips"],
        probes_ok=first["probes_ok"],
        robots_failures=first["robots_failures"],
    )
    return Lease(
        host_id=first["host_id"],
        host=host,
        seq=first["lease_seq"],
        expires=expires,
        state=state,
        probation=first["probation"],
        relapsed=first["relapsed"],
        crash_count=first["blame"],
        in_progress=first["accused"].hex if first["accused"] else None,
        was_lost=first["was_lost"],
    )


def _entry(row: Any) -> Entry:
    host_id, url_hash, url, priority, source_id, origin, kind, *unchanged, run_id, text = _ENTRY_COLUMNS(row)
    key, interests = UrlKey(host_id, url_hash.hex), ()
    return Entry._make(
        (key, url, priority, source_id, ORIGINS[origin], KINDS[kind], *unchanged, interests, run_id, text)
    )


def interest_of(row: Any) -> SourceInterest:
    return SourceInterest(
        source_id=row["source_id"],
        state=State(row["state"]),
        depth=row["depth"],
        origin=ORIGINS[row["origin"]],
        fetches=row["fetches"],
        reason=row["reason"],
        held=row["held"],
        served_with_others=row["served_with_others"],
    )


def completion_row(done: Completion) -> tuple[object, ...]:
    """A flush_completion."""
    return (
        *done.key,
        done.url,
        done.source_id,
        ORIGIN_CODE[done.origin],
        done.kind,
        done.priority,
        done.depth,
        done.fetches,
        done.status,
        done.reason,
        done.retry_in_s,
        done.attempts,
        *(done.moved_to or _NO_KEY),
        *(done.parent or _NO_KEY),
        done.shared,
        done.run_id or None,
    )


def link_row(link: Submission) -> tuple[object, ...]:
    """A flush_link."""
    return (
        *link.key,
        link.url,
        link.priority,
        link.depth,
        link.source_id,
        ORIGIN_CODE[link.origin],
        link.kind,
        *(link.parent or _NO_KEY),
        link.hops,
        link.via,
        link.run_id or None,
    )


def request_row(note: RequestNote, now: float) -> tuple[object, ...]:
    """A flush_request."""
    return (
        *note.key,
        note.outcome,
        note.status,
        note.elapsed_ms,
        min(note.wire_bytes, _MOST_BYTES),
        max(now - note.ended, 0.0),
        note.content_length,
        note.content_type,
        note.error_message,
    )
