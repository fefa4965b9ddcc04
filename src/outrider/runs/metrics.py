"""The figures of a run from its counters (JOB-16), and how a run ends. Pure."""

from collections.abc import Mapping
from typing import Any

from outrider.frontier.counter_name import CounterPrefix, counter_of
from outrider.frontier.dead_reason import DeadReason
from outrider.runs.counter import RunCounter
from outrider.runs.model import Run, RunStatus, RunVerdict

TOP_ERRORS = 5
_NON_HTML = counter_of(CounterPrefix.DEAD, DeadReason.UNSUPPORTED_CONTENT_TYPE)
_ROBOTS = counter_of(CounterPrefix.DEAD, DeadReason.ROBOTS_BLOCKED)


def crawl_metrics(counts: Mapping[str, int]) -> dict[str, Any]:
    """The value of `metadata.crawl_metrics`."""
    failures = _part(counts, CounterPrefix.FAILURE)
    statuses = _part(counts, CounterPrefix.STATUS)
    answers, pages = sum(statuses.values()), counts.get(RunCounter.PAGES, 0)
    return {
        "status_codes": statuses,
        "requests_total": counts.get(RunCounter.REQUESTS, 0),
        "requests_failed": counts.get(RunCounter.REQUESTS_FAILED, 0),
        "bytes_downloaded": counts.get(RunCounter.BYTES, 0),
        "cloudflare_blocks": counts.get(RunCounter.CLOUDFLARE_BLOCKS, 0),
        "rate_limits": counts.get(RunCounter.RATE_LIMITS, 0),
        "error_categories": failures,
        "top_errors": [
            {"error": name, "count": count} for name, count in list(failures.items())[:TOP_ERRORS]
        ],
        "response_time_ms": {
            "min": counts.get(RunCounter.RESPONSE_MS_MIN),
            "avg": round(counts.get(RunCounter.RESPONSE_MS, 0) / answers) if answers else None,
            "max": counts.get(RunCounter.RESPONSE_MS_MAX),
        },
        "skipped": {
            "non_html": counts.get(_NON_HTML, 0),
            "max_depth": counts.get(RunCounter.BEYOND_DEPTH, 0),
            "robots_txt": counts.get(_ROBOTS, 0),
        },
        "extraction_quality": {
            "pages": pages,
            "indexed": counts.get(RunCounter.INDEXED, 0),
            "empty_title": counts.get(RunCounter.EMPTY_TITLE, 0),
            "empty_body": counts.get(RunCounter.EMPTY_BODY, 0),
            "words_avg": round(counts.get(RunCounter.WORDS, 0) / pages) if pages else None,
        },
        "entries": {
            "added": counts.get(RunCounter.ADDED, 0),
            "settled": counts.get(RunCounter.SETTLED, 0),
            "dead": counts.get(RunCounter.DEAD, 0),
            "withdrawn": counts.get(RunCounter.WITHDRAWN, 0),
        },
        "dead_reasons": _part(counts, CounterPrefix.DEAD),
    }


def waiting(counts: Mapping[str, int]) -> int:
    """How many entries of the run are not settled."""
    return counts.get(RunCounter.ADDED, 0) - counts.get(RunCounter.SETTLED, 0)


def verdict_of(run: Run, counts: Mapping[str, int]) -> RunVerdict:
    """How a run ends whose entries are all settled.

    It has failed if every entry was given up: one page, one unchanged feed or one redirect is a success.
    """
    if run.is_cancelled:
        return RunVerdict(RunStatus.CANCELLED, run.cancel_reason)
    added, dead = counts.get(RunCounter.ADDED, 0), counts.get(RunCounter.DEAD, 0)
    failed = counts.get(RunCounter.REQUESTS_FAILED, 0)
    requests = counts.get(RunCounter.REQUESTS, 0)
    if added and (dead >= added or (requests and failed == requests and not counts.get(RunCounter.PAGES))):
        return RunVerdict(RunStatus.FAILED, _why(counts))
    return RunVerdict(RunStatus.COMPLETED)


def _why(counts: Mapping[str, int]) -> str:
    reasons = _part(counts, CounterPrefix.DEAD) or _part(counts, CounterPrefix.FAILURE)
    named = ", ".join(f"{name} ({count})" for name, count in list(reasons.items())[:TOP_ERRORS])
    return f"no page could be fetched: {named}" if named else "no page could be fetched"


def _part(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    """The counters with a prefix, largest first."""
    found = {
        name.removeprefix(prefix): value
        for name, value in counts.items()
        if name.startswith(prefix) and value > 0
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
