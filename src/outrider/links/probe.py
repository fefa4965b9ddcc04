"""From the result of a polite fetch to a probe. Pure."""

from datetime import datetime

from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult, NoRequestReason
from outrider.fetch import Failed, Failure, Fetched, Refusal, Refused, Rejected, Request
from outrider.links.evidence import LinkProbe, PageSignals, ProbeEnding, Purpose
from outrider.links.signals import page_signals
from outrider.urls import origin_of

HEAD_REFUSED = frozenset({405, 501})

_ENDINGS = {
    FetchEnding.FAILED: ProbeEnding.FAILED,
    FetchEnding.REFUSED: ProbeEnding.REFUSED,
    FetchEnding.ROBOTS_BLOCKED: ProbeEnding.ROBOTS,
    FetchEnding.REDIRECTED: ProbeEnding.BAD_REDIRECT,
}


def probe_of(
    result: FetchResult, purpose: Purpose, request: Request, asked_at: datetime, *, wants_ids: bool = False
) -> LinkProbe:
    """What the result says about the address that was asked for."""
    return LinkProbe(
        purpose=purpose,
        method="HEAD" if request.is_head else "GET",
        url=request.url,
        asked_at=asked_at,
        ending=_ending(result),
        status=_status(result),
        final_url=result.url,
        hops=result.hops,
        failure=_failure(result),
        message=result.message,
        content_type=result.headers.get("content-type"),
        page=_page(result, request, wants_ids=wants_ids),
    )


def resting_probe(purpose: Purpose, method: str, url: str, asked_at: datetime, why: str) -> LinkProbe:
    """The host was not asked: it rests, or another worker holds it."""
    return LinkProbe(purpose, method, url, asked_at, ProbeEnding.RESTING, message=why)


def _ending(result: FetchResult) -> ProbeEnding:
    if result.reason == NoRequestReason.ROBOTS_UNREACHABLE:
        return ProbeEnding.ANSWERED  # with the status of the robots.txt
    if result.ending is FetchEnding.REDIRECTED and result.hops and result.message is None:
        return ProbeEnding.REDIRECT_LOOP
    if isinstance(result.outcome, Refused) and result.outcome.refusal is Refusal.INVALID_URL:
        return ProbeEnding.BAD_REDIRECT if result.hops else ProbeEnding.INVALID
    return _ENDINGS.get(result.ending, ProbeEnding.ANSWERED)


def _status(result: FetchResult) -> int | None:
    if result.reason == NoRequestReason.ROBOTS_UNREACHABLE:
        return result.robots[origin_of(result.url)].status
    return result.status


def _failure(result: FetchResult) -> Failure | None:
    if result.ending is not FetchEnding.FAILED:
        return None
    if isinstance(result.outcome, Failed):
        return result.outcome.failure
    return Failure(result.reason) if result.reason in set(Failure) else None


def _page(result: FetchResult, request: Request, *, wants_ids: bool) -> PageSignals | None:
    match result.outcome:
        case Fetched(body=body, content_type=content_type):
            is_whole = len(body) < (request.max_bytes or 0)
            return page_signals(
                body, result.url, content_type, result.headers, is_whole=is_whole, wants_ids=wants_ids
            )
        case Rejected(exchange=exchange, body=body):
            content_type = exchange.headers.get("content-type")
            return page_signals(body, result.url, content_type, exchange.headers, is_error=True)
        case _:
            return None
