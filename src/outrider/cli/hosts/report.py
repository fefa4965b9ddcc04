"""Print hosts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from outrider.cli.output import console, plain, table
from outrider.cli.show.facts import facts
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import base_delay
from outrider.hosts.view import MOST_QUEUED, HostView
from outrider.services.hosts.hosts import HostDetails, HostSummary
from outrider.services.hosts.words import state_of
from outrider.services.urls.reason_words import meaning
from outrider.wording import count, pace, plural, size, span, when

_COLUMNS = ("host", "pages", "requests", "errors", "answers in", "bytes", "delay", "state")


def show_hosts(found: Sequence[HostSummary]) -> None:
    if not found:
        console().print("No host is known here yet.")
        return
    now = datetime.now(UTC)
    console().print(table(_COLUMNS, (_row(view, now) for view in found), right=_COLUMNS[1:7]))


def show_details(found: HostDetails, options: HostOptions) -> None:
    console().print(plain(found.host, "bold"))
    console().print(facts(_facts(found, options, datetime.now(UTC))))


def trouble_of(view: HostView) -> str | None:
    """The failure of the last request and its remedy; None if the host answered."""
    return None if view.last_error is None else meaning(view.last_error)


def delay_of(view: HostView, robots_s: float | None, options: HostOptions) -> str:
    """The delay of a host, and where it comes from."""
    if view.delay_ms is None:
        return f"{pace(options.delay_ms / 1000)}, the default"
    asked_s = None if view.asked_delay_ms is None else view.asked_delay_ms / 1000
    if robots_s is not None and view.delay_ms == base_delay(robots_s, None, options):
        whose = "its robots.txt asks for it"
    elif asked_s is not None and view.delay_ms == view.asked_delay_ms:
        whose = "set with `outrider hosts --delay`"
    elif view.delay_ms == options.delay_ms:
        whose = "the default"
    else:
        whose = "the crawl asks for it"
    penalty = f", and {span(view.penalty_ms / 1000)} more for answers of 429" if view.penalty_ms else ""
    return f"{span(view.delay_ms / 1000)} between requests ({whose}){penalty}"


def _row(view: HostSummary, now: datetime) -> tuple[object, ...]:
    delay = "" if view.delay_ms is None else span((view.delay_ms + view.penalty_ms) / 1000)
    return (
        view.host,
        count(view.pages),
        count(view.requests),
        count(view.errors),
        span(view.answer_ms / 1000) if view.requests else "",
        size(view.bytes),
        delay,
        state_of(view, now),
    )


def _facts(view: HostDetails, options: HostOptions, now: datetime) -> Iterator[tuple[str, object]]:
    yield "state", state_of(view, now)
    yield (
        "queued",
        f"{count(view.queued)} or more" if view.queued >= MOST_QUEUED else plural(view.queued, "URL"),
    )
    yield "delay", delay_of(view, view.robots_delay_s, options)
    if view.next_allowed_at and view.next_allowed_at > now:
        yield "rests until", when(view.next_allowed_at, now)
    yield "pages", f"{count(view.pages)} in {plural(view.requests, 'request')}, {size(view.bytes)}"
    yield "errors", count(view.errors)
    if view.robots_failures:
        yield "robots.txt", f"could not be read {plural(view.robots_failures, 'time')} in a row"
    if view.requests:
        yield "answers in", f"{span(view.answer_ms / 1000)} on average"
    if view.last_fetch_at:
        last = view.last_error or view.last_status or "no answer"
        yield "last", f"{last}, {when(view.last_fetch_at, now)}"
    if trouble := trouble_of(view):
        yield "trouble", trouble
    yield "first seen", when(view.first_seen_at, now)
