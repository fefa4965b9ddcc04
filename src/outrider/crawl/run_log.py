"""What a worker writes to the log of a run about its visits.

A visit calls `requested` and `settled` for entries of runs only. The usual page costs a look-up there: lines
about progress are made elsewhere, from the counters of the run.
"""

import time
from typing import Any

from outrider.crawl.decide import TOO_MANY_REQUESTS, Confirm, Dead, Decision, Keep, Retry
from outrider.crawl.records import error_of, measures_of
from outrider.fetch.outcome import Fetched, NotModified, Outcome
from outrider.fetch.outcome_name import name_of
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, EntryKind
from outrider.frontier.retry_reason import RetryReason
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions, Verbosity
from outrider.run_logs.throttle import Throttle
from outrider.run_logs.writer import RunLogWriter
from outrider.urls import host_of

MOST_RUNS = 1_000  # that one worker remembers
PAUSES_PER_WINDOW = 1  # of one host
CHANNELS = frozenset({EntryKind.FEED, EntryKind.SITEMAP})


class RunLog:
    """Writes nothing: for workers without logs of runs."""

    writer: RunLogWriter | None = None

    def requested(self, entry: Entry, outcome: Outcome) -> None:
        """A request of a run has ended."""

    def settled(self, entry: Entry, decision: Decision, outcome: Outcome | None) -> None:
        """A visit of a run has ended."""


class VisitRunLog(RunLog):
    """Writes lines about the visits of one worker."""

    def __init__(self, writer: RunLogWriter, options: RunLogOptions) -> None:
        self.writer = writer
        self._writer = writer
        self._is_quiet = options.verbosity is Verbosity.QUIET
        self._shows_requests = options.is_detailed
        self._shows_pages = options.verbosity is Verbosity.TRACE
        self._throttles: dict[int, RunThrottle] = {}  # by run

    def requested(self, entry: Entry, outcome: Outcome) -> None:
        if self._shows_requests:
            status, took_ms, size = measures_of(outcome)
            fields = {"url": entry.url, "status": status, "took_ms": took_ms, "bytes": size}
            self._writer.write(
                entry.run_id, LineLevel.DEBUG, LogCategory.FETCH, f"request: {name_of(outcome)}", fields
            )

    def settled(self, entry: Entry, decision: Decision, outcome: Outcome | None) -> None:
        run_id, now = entry.run_id, time.monotonic()
        self._writer.note_work(run_id, now)
        throttle = self._throttles.get(run_id)
        if throttle is None:
            throttle = self._remember(run_id)
        if entry.kind in CHANNELS and isinstance(outcome, Fetched | NotModified):
            # The decision is about pages; the poll itself judges what it has read.
            self._polled(entry, outcome, throttle, now)
        elif isinstance(decision, Keep | Confirm):
            if not throttle.has_page:
                throttle.has_page = True
                if not self._is_quiet:
                    self._write(entry, LineLevel.INFO, LogCategory.FETCH, "first page of this worker")
            if self._shows_pages:
                self._write(entry, LineLevel.DEBUG, LogCategory.EXTRACT, "page read", depth=entry.depth)
        elif isinstance(decision, Retry):
            if not self._is_quiet:
                self._retried(entry, decision, outcome, throttle, now)
        elif isinstance(decision, Dead):
            self._given_up(entry, decision, outcome, throttle, now)

    def _polled(self, entry: Entry, outcome: Outcome, throttle: "RunThrottle", now: float) -> None:
        kind = entry.kind.name.lower()
        if self._is_quiet:
            return
        if not throttle.allows(f"polled {kind}", now):
            self._writer.throttled(entry.run_id)
            return
        message = f"{kind} not modified" if isinstance(outcome, NotModified) else f"{kind} read"
        status, took_ms, _ = measures_of(outcome)
        self._write(entry, LineLevel.INFO, LogCategory.FETCH, message, status=status, took_ms=took_ms)

    def _retried(
        self, entry: Entry, decision: Retry, outcome: Outcome | None, throttle: "RunThrottle", now: float
    ) -> None:
        status = None if outcome is None else measures_of(outcome)[0]
        wait_s, host = round(decision.wait_s, 1), host_of(entry.url)
        if decision.reason == RetryReason.HOST_DOWN:
            if throttle.allows(f"pause {host}", now, PAUSES_PER_WINDOW):
                message = f"{host} keeps failing and is left alone for {wait_s:g} s"
                self._write(entry, LineLevel.WARN, LogCategory.QUEUE, message, host=host, wait_s=wait_s)
            else:
                self._writer.throttled(entry.run_id)
            return
        is_limited = status == TOO_MANY_REQUESTS
        if not throttle.allows(f"retry {decision.reason}", now):
            self._writer.throttled(entry.run_id)
            return
        self._write(
            entry,
            LineLevel.WARN,
            LogCategory.RATE_LIMIT if is_limited else LogCategory.ERROR,
            f"{host} limits the rate of requests"
            if is_limited
            else f"failed, to be tried again: {decision.reason}",
            host=host,
            status=status,
            wait_s=wait_s,
            attempts=decision.attempts,
            error=None if outcome is None else error_of(outcome),
        )

    def _given_up(
        self, entry: Entry, decision: Dead, outcome: Outcome | None, throttle: "RunThrottle", now: float
    ) -> None:
        """An entry that was refused before its request is counted, and not an error."""
        if outcome is None or decision.reason == DeadReason.ROBOTS_BLOCKED:
            if self._shows_requests:
                message = f"not requested: {decision.reason}"
                self._write(entry, LineLevel.DEBUG, LogCategory.QUEUE, message)
            return
        if not throttle.allows(f"dead {decision.reason}", now):
            self._writer.throttled(entry.run_id)
            return
        self._write(
            entry,
            LineLevel.ERROR,
            LogCategory.ERROR,
            f"given up: {decision.reason}",
            status=measures_of(outcome)[0],
            error=error_of(outcome),
        )

    def _write(
        self, entry: Entry, level: LineLevel, category: LogCategory, message: str, **fields: Any
    ) -> None:
        self._writer.write(entry.run_id, level, category, message, {"url": entry.url, **fields})

    def _remember(self, run_id: int) -> "RunThrottle":
        if len(self._throttles) >= MOST_RUNS:
            self._throttles.clear()
        made = self._throttles[run_id] = RunThrottle()
        return made


class RunThrottle(Throttle):
    """What one worker wrote about one run."""

    has_page = False
