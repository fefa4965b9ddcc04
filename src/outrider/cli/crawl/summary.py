"""The summary of a crawl: why it ended, what it found, what to do next."""

import shlex
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.crawl.findings import CrawlReport
from outrider.cli.output import plain
from outrider.cli.show.reasons import fault, is_broken_link, skipped
from outrider.db.location import default_data_dir
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.services.findings import EXAMPLES, SeedTrouble
from outrider.urls import host_of
from outrider.wording import clock, count, plural, rate, size, span, words
from outrider.workers.snapshot import CrawlEnding, Snapshot

MOST_REASONS = 8
MOST_TROUBLES = 3


def failure(found: CrawlReport) -> str:
    """Why a failed crawl failed, in one sentence."""
    if found.stopped:
        return stopped(found.snapshot)
    told = [f"{seed}: {_fault(seed, trouble)}" for seed, trouble in found.gathered.troubles.items()]
    others = f"; and {plural(len(told) - MOST_TROUBLES, 'more')}" if len(told) > MOST_TROUBLES else ""
    return "nothing could be fetched from " + "; ".join(told[:MOST_TROUBLES]) + others + _sooner(found)


def _fault(seed: str, trouble: SeedTrouble) -> str:
    return fault(seed, trouble.reason, trouble.leads_to)


def stopped(last: Snapshot) -> str:
    """The message after a second interrupt."""
    return f"stopped; {plural(last.totals.pending, 'URL is', 'URLs are')} queued and not lost"


def _sooner(found: CrawlReport) -> str:
    """How to retry a host that rests for long before its time."""
    due = found.snapshot.next_due_in_s
    if found.ending is not CrawlEnding.WAITING or due is None or due < 1:
        return ""
    host = host_of(next(iter(found.gathered.troubles)))
    return f" (next try in {span(due)}; `outrider hosts {host} --reset{_where(found)}` retries now)"


def headline(found: CrawlReport) -> str:
    """Why it ended, in one sentence."""
    queued = plural(found.snapshot.totals.pending, "URL is", "URLs are") + " queued"
    match found.ending:
        case CrawlEnding.FINISHED:
            return "Finished: nothing is left to fetch."
        case CrawlEnding.LIMIT:
            return f"Page limit reached. {queued}; a higher --max-pages continues."
        case CrawlEnding.WAITING:
            due = found.snapshot.next_due_in_s
            when = f" for another {span(due)}" if due is not None and due > 0 else ""
            return f"Paused: {queued}, and none is due{when}. The same command resumes."
        case CrawlEnding.INTERRUPTED:
            return f"Interrupted. {queued}; the same command resumes."
        case CrawlEnding.UNAVAILABLE | CrawlEnding.WORKERS_FAIL:
            raise AssertionError("a crawl that broke off has no summary")


def summary(found: CrawlReport) -> RenderableType:
    """The whole summary as text."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    for label, told in _rows(found):
        rows.add_row(label, told)
    is_well = found.ending in (CrawlEnding.FINISHED, CrawlEnding.LIMIT)
    return Group(Text(headline(found), style="bold green" if is_well else "bold yellow"), Text(), rows)


def _rows(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    if found.task.robots_notice:
        yield "robots.txt", plain(found.task.robots_notice, "bold red")
    yield from _kept(found)
    yield from _seeds(found)
    yield from _dead(found)
    yield from _skipped(found)
    yield from _hosts(found)
    if not found.task.is_kept:
        return
    yield "", Text()
    yield "data", plain(found.task.data)
    if found.task.log is not None:
        yield "log", plain(found.task.log)
    for label, command in zip(("next", "", ""), next_commands(found), strict=True):
        yield label, plain(command, "cyan")


def _kept(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    look, others = found.snapshot, found.snapshot.totals.others
    pages, new = look.since_start(CounterName.PAGES), look.since_start(CounterName.DOCUMENTS)
    speed = f"{rate(pages / look.at)}" if look.at else ""
    told = f"{plural(pages, 'page')}, {size(look.since_start('bytes'))} in {clock(look.at)} ({speed})"
    yield "fetched", Text(told, style="bold")
    yield "new", Text(count(new) + (f", {count(pages - new)} seen before" if pages > new else ""))
    if look.pages > pages:
        yield (
            "in all",
            Text(f"{count(look.pages)} fetches, {plural(others.get('documents', 0), 'page')} kept"),
        )
    exact, near = others.get(CounterName.DUPLICATES, 0), others.get(CounterName.NEAR_DUPLICATES, 0)
    if exact or near:
        yield "copies", Text(f"{count(exact)} with the text of another page, {count(near)} almost")
    if found.gathered.uncompared:
        waiting = plural(found.gathered.uncompared, "page waits", "pages wait")
        yield "", Text(f"{waiting} to be searched for copies; the next crawl goes on", style="yellow")
    if look.totals.aliases:
        yield "redirects", Text(count(look.totals.aliases))
    if look.deaths:
        yield "workers", Text(f"{plural(look.deaths, 'worker')} died and had to be replaced", style="red")
    if found.lines_lost:
        yield "log", Text(f"{plural(found.lines_lost, 'line')} could not be written", style="red")


def _seeds(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    """Start URLs that could not be fetched (RDC-18)."""
    label = "seeds"
    for seed, trouble in list(found.gathered.troubles.items())[:MOST_REASONS]:
        yield label, plain(f"{seed}: {_fault(seed, trouble)}", "yellow")
        label = ""


def _dead(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    label = "dead"
    for reason, number in list(found.snapshot.counted(CounterPrefix.DEAD).items())[:MOST_REASONS]:
        line = Text(f"{count(number)} {words(reason)}", style="yellow")
        for dead in found.gathered.examples.get(reason, ())[: min(EXAMPLES, number)]:
            line.append_text(plain(f"\n  {dead.url}", "dim"))
            if dead.parent_url and is_broken_link(reason):
                line.append_text(plain(f"\n    on {dead.parent_url}", "dim"))
        yield label, line
        label = ""


def _skipped(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    label = "skipped"
    for reason, number in list(found.snapshot.counted(CounterPrefix.SKIPPED).items())[:MOST_REASONS]:
        yield label, Text(f"{plural(number, 'link')} {skipped(reason, found.depth)}")
        label = ""


def _hosts(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    label = "traps"
    for lost in found.gathered.templates:
        pages = plural(lost.fetched, "page")
        yield label, plain(f"{lost.template}: left alone after {pages}, the last ones with nothing new")
        label = ""
    if found.gathered.slowest:
        told = ", ".join(f"{slow.host} {span(slow.answer_ms / 1000)}" for slow in found.gathered.slowest)
        yield "slowest", plain(told)


def next_commands(found: CrawlReport) -> tuple[str, str, str]:
    """Commands that may be useful next."""
    where = _where(found)
    return (
        f"outrider export pages{where} --output pages.jsonl",
        f"outrider stats{where}",
        f"outrider why{where} {found.task.goal.names[0]}",
    )


def _where(found: CrawlReport) -> str:
    data = found.task.data
    return "" if data == default_data_dir() else f" --data {shlex.quote(str(data))}"


def as_data(found: CrawlReport) -> dict[str, Any]:
    """The summary as JSON data."""
    look, others = found.snapshot, found.snapshot.totals.others
    return {
        "event": "summary",
        "ending": found.ending.name.lower(),
        "ok": not found.has_failed,
        "message": failure(found) if found.has_failed else headline(found),
        "robots_obeyed": found.task.robots_notice is None,
        "robots_notice": found.task.robots_notice,
        "elapsed_s": round(look.at, 1),
        "pages": look.since_start(CounterName.PAGES),
        "new": look.since_start(CounterName.DOCUMENTS),
        "requests": look.since_start(CounterName.REQUESTS),
        "bytes": look.since_start(CounterName.BYTES),
        "total": {
            "pages": look.pages,
            "documents": others.get(CounterName.DOCUMENTS, 0),
            "duplicates": others.get(CounterName.DUPLICATES, 0),
            "near_duplicates": others.get(CounterName.NEAR_DUPLICATES, 0),
            "uncompared": found.gathered.uncompared,
            "known": look.totals.known,
            "pending": look.totals.pending,
            "fetched": look.totals.fetched,
            "dead": look.totals.dead,
            "redirects": look.totals.aliases,
        },
        "statuses": look.counted(CounterPrefix.STATUS),
        "errors": look.counted(CounterPrefix.FAILURE),
        "dead": {
            reason: {
                "count": number,
                "examples": [dead.url for dead in found.gathered.examples.get(reason, ())],
            }
            for reason, number in look.counted(CounterPrefix.DEAD).items()
        },
        "skipped": look.counted(CounterPrefix.SKIPPED),
        "traps": [
            {"host": t.host, "template": t.template, "fetched": t.fetched} for t in found.gathered.templates
        ],
        "slowest": [{"host": slow.host, "answer_ms": slow.answer_ms} for slow in found.gathered.slowest],
        "restarts": look.deaths,
        "seeds": {seed: _fault(seed, trouble) for seed, trouble in found.gathered.troubles.items()},
        "data": str(found.task.data),
        "log": None if found.task.log is None else str(found.task.log),
        "log_lines_lost": found.lines_lost,
    }
