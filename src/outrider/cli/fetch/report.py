"""Print a single fetch: the redirects, the response, and what a crawl would do with it."""

import sys
from collections.abc import Iterator

from outrider.cli.output import console, plain, table
from outrider.cli.show.facts import facts
from outrider.crawl.admission.filters import skip
from outrider.crawl.decide import Confirm, Dead, Keep, Retry, decide
from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult, NoRequestReason
from outrider.errors import InvalidUrl
from outrider.extract.scan import scan
from outrider.fetch import Fetched, Refusal
from outrider.frontier.dead_reason import DeadReason
from outrider.settings import Settings
from outrider.urls import normalize
from outrider.wording import plural, size, span

_COLOURS = {
    FetchEnding.FETCHED: "green",
    FetchEnding.NOT_MODIFIED: "green",
    FetchEnding.REDIRECTED: "yellow",
    FetchEnding.ROBOTS_BLOCKED: "yellow",
}


def report(single: FetchResult, settings: Settings, *, with_body: bool) -> None:
    """Print the report, or only the body."""
    if with_body:
        sys.stdout.buffer.write(single.body)
        sys.stdout.buffer.flush()
        return
    out = console()
    status = f" {single.status}" if single.status else ""
    out.print(
        plain(f"{single.ending.value}{status}", f"bold {_COLOURS.get(single.ending, 'red')}"),
        plain(single.url),
    )
    out.print(facts(_lines(single, settings)))
    if single.headers:
        out.print(table(("header", "value"), sorted(single.headers.items())))


def _lines(single: FetchResult, settings: Settings) -> Iterator[tuple[str, str]]:
    for number, hop in enumerate(single.hops, start=1):
        yield f"hop {number}", f"{hop.status}  {hop.url} → {hop.target}"
    for file in single.robots.values():
        yield "robots.txt", f"{file.url} answered {file.status or 'nothing'}"
    if single.reason:
        yield "reason", f"{single.reason}{f': {single.message}' if single.message else ''}"
    if single.reason == Refusal.BLOCKED_ADDRESS:
        yield "to allow it", "name its network in OUTRIDER_ALLOW_PRIVATE"
    yield "time", span(single.elapsed_ms / 1000)
    if isinstance(single.outcome, Fetched):
        exchange = single.outcome.exchange
        yield "body", f"{size(len(single.body))}, {size(exchange.wire_bytes)} on the wire"
        yield "address", exchange.address or "through a proxy"
    yield "decision", decision_of(single, settings)
    yield from _page(single, settings)


def decision_of(single: FetchResult, settings: Settings) -> str:
    """What a crawl would do with this outcome, as a phrase."""
    if single.outcome is None:
        match single.reason:
            case DeadReason.ROBOTS_BLOCKED:
                return f"dead: {DeadReason.ROBOTS_BLOCKED}"
            case NoRequestReason.DELAY_TOO_LONG:
                return "wait as long as the host asks, then fetch it"
            case _:
                return "leave the host alone until its robots.txt can be read"
    if single.ending is FetchEnding.REDIRECTED:
        return f"dead: {single.reason}"
    options = settings.crawl
    match decide(single.outcome, attempts=0, max_attempts=options.max_attempts, jitter=0):
        case Keep():
            left_out = _left_out(single.url)
            return f"skip, by its looks: {left_out}" if left_out else "keep, and follow its links"
        case Confirm():
            return "keep what is stored"
        case Retry(reason=reason, wait_s=wait_s, attempts=attempts):
            return f"retry in {wait_s:g} s ({reason}, attempt {attempts} of {options.max_attempts})"
        case Dead(reason=reason):
            return f"dead: {reason}"
        case move:
            return f"follow to {move.target}"


def _left_out(url: str) -> str | None:
    try:
        return skip(normalize(url))
    except InvalidUrl as error:
        return error.why


def _page(single: FetchResult, settings: Settings) -> Iterator[tuple[str, str]]:
    """What extraction finds on a page that would be kept."""
    outcome = single.outcome
    if not isinstance(outcome, Fetched):
        return
    if not isinstance(decide(outcome, attempts=0, max_attempts=1, jitter=0), Keep):
        return
    page = scan(outcome.body, single.url, outcome.content_type, single.headers.get("x-robots-tag"))
    yield "title", page.title or "none"
    words = len(page.text.split())
    yield "content", f"{plural(words, 'word')}, {plural(len(page.links), 'link')}, {page.charset}"
    directives = [word for word, asked in (("noindex", page.noindex), ("nofollow", page.nofollow)) if asked]
    if directives:
        yield "asks for", ", ".join(directives)
