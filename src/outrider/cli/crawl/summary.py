"""Print the summary of a crawl: why it ended, what it found, what to do next."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.output import plain
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import NO_RUN
from outrider.services.crawl.summary import CrawlReport, data_option, fault_of, headline
from outrider.services.urls.reason_words import is_broken_link, skipped
from outrider.wording import clock, count, plural, rate, size, span, words
from outrider.workers.snapshot import CrawlEnding

MOST_REASONS = 8


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
    if found.run_id != NO_RUN:
        yield "run", Text(str(found.run_id))
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
        yield label, plain(f"{seed}: {fault_of(seed, trouble)}", "yellow")
        label = ""


def _dead(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    label = "dead"
    dead_urls = found.snapshot.counted(CounterPrefix.DEAD)
    dead_urls.pop(DeadReason.CANCELLED, None)  # the headline counts them
    for reason, number in list(dead_urls.items())[:MOST_REASONS]:
        line = Text(f"{count(number)} {words(reason)}", style="yellow")
        for dead in found.examples(reason, number):
            line.append_text(plain(f"\n  {dead.url}", "dim"))
            if dead.parent_url and is_broken_link(reason):
                line.append_text(plain(f"\n    on {dead.parent_url}", "dim"))
        yield label, line
        label = ""


def _skipped(found: CrawlReport) -> Iterator[tuple[str, RenderableType]]:
    label = "skipped"
    for reason, number in list(found.snapshot.counted(CounterPrefix.SKIPPED).items())[:MOST_REASONS]:
        yield label, Text(f"{plural(number, 'link')} {skipped(reason, found.depth, number)}")
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
    where = data_option(found)
    return (
        f"outrider export pages{where} --output pages.jsonl",
        f"outrider stats{where}",
        f"outrider why{where} {found.task.goal.names[0]}",
    )
