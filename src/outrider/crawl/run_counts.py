"""What a worker counts for a run between two flushes: requests, answers, pages (JOB-16).

The flush adds it to the counters of the run in the commit that writes the results.
"""

from collections import Counter

from outrider.fetch.outcome import Failed, Fetched, Outcome, Redirected, Refused, Rejected
from outrider.fetch.outcome_name import name_of
from outrider.frontier.counter_name import CounterPrefix, counter_of, status_counter
from outrider.frontier.model import RequestNote
from outrider.runs.counter import RunCounter

RATE_LIMITED = 429
BLOCKING = frozenset((403, 429, 503))


class RunTally:
    """The counts of one run. Plain attributes, because it is updated for every request."""

    __slots__ = (
        "bytes",
        "indexed",
        "longest_ms",
        "others",
        "pages",
        "requests",
        "response_ms",
        "shortest_ms",
    )

    def __init__(self) -> None:
        self.requests = self.bytes = self.response_ms = self.longest_ms = 0
        self.shortest_ms: int | None = None
        self.pages = self.indexed = 0
        self.others: Counter[str] = Counter()

    def count(self, name: str, by: int = 1) -> None:
        self.others[name] += by

    def counters(self) -> dict[str, int]:
        """The counters by name, without those that are zero."""
        found = {
            RunCounter.REQUESTS: self.requests,
            RunCounter.BYTES: self.bytes,
            RunCounter.RESPONSE_MS: self.response_ms,
            RunCounter.PAGES: self.pages,
            RunCounter.INDEXED: self.indexed,
            **self.others,
        }
        if self.shortest_ms is not None:
            found |= {
                RunCounter.RESPONSE_MS_MIN: self.shortest_ms,
                RunCounter.RESPONSE_MS_MAX: self.longest_ms,
            }
        return {str(name): value for name, value in found.items() if value or name in _KEPT_AT_ZERO}


_WORDS = RunCounter.WORDS  # enum members are slow to look up
_KEPT_AT_ZERO = frozenset((RunCounter.RESPONSE_MS_MIN, RunCounter.RESPONSE_MS_MAX))


class RunCounts(dict[int, RunTally]):
    """The counts of a batch by run."""

    def __missing__(self, run_id: int) -> RunTally:
        tally = self[run_id] = RunTally()
        return tally

    def flat(self) -> dict[tuple[int, str], int]:
        """The counters by run and name."""
        return {
            (run_id, name): value
            for run_id, tally in self.items()
            for name, value in tally.counters().items()
        }


def count_run_request(tally: RunTally, outcome: Outcome, note: RequestNote) -> None:
    """Count one request for its run."""
    tally.requests += 1
    tally.bytes += note.wire_bytes
    status, took_ms = note.status, note.elapsed_ms
    if status:
        tally.others[status_counter(status)] += 1
        tally.response_ms += took_ms
        if took_ms > tally.longest_ms:
            tally.longest_ms = took_ms
        if tally.shortest_ms is None or took_ms < tally.shortest_ms:
            tally.shortest_ms = took_ms
    if isinstance(outcome, Fetched):
        return
    if isinstance(outcome, Failed | Refused | Rejected) or (
        isinstance(outcome, Redirected) and outcome.target is None
    ):
        _count_failure(tally, outcome, status)


def _count_failure(tally: RunTally, outcome: Outcome, status: int | None) -> None:
    tally.count(RunCounter.REQUESTS_FAILED)
    what = f"http_{status}" if isinstance(outcome, Rejected) and status else name_of(outcome)
    tally.count(counter_of(CounterPrefix.FAILURE, what))
    if status == RATE_LIMITED:
        tally.count(RunCounter.RATE_LIMITS)
    if isinstance(outcome, Rejected) and status in BLOCKING and is_cloudflare(outcome):
        tally.count(RunCounter.CLOUDFLARE_BLOCKS)


def is_cloudflare(outcome: Rejected) -> bool:
    """Whether Cloudflare refused the request in place of the site."""
    headers = outcome.exchange.headers
    return "cf-mitigated" in headers or headers.get("server", "").lower() == "cloudflare"


def count_run_page(tally: RunTally, *, words: int, is_indexed: bool, has_title: bool) -> None:
    """Count one page that was read for its run."""
    tally.pages += 1
    tally.indexed += is_indexed
    tally.others[_WORDS] += words
    if not has_title:
        tally.count(RunCounter.EMPTY_TITLE)
    if not words:
        tally.count(RunCounter.EMPTY_BODY)


def dead_counter(reason: str) -> str:
    """The counter of entries that a run gave up for this reason."""
    return counter_of(CounterPrefix.DEAD, reason)
