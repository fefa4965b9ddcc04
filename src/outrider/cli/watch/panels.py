"""The live screen of a watch: figures and the latest articles. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.crawl.panels import WIDEST, ScreenState, foot, head, waiting, workers
from outrider.cli.output import harmless, plain
from outrider.frontier.counter_name import CounterName, CounterPrefix, counter_of
from outrider.jobs.overview import JobOverview
from outrider.watch.news import LatestArticle
from outrider.watch.overview import WatchOverview
from outrider.watch.polling.poll_result import PollResult
from outrider.wording import brief, count, rate

AROUND = 13  # lines of the screen that are no headlines, and one to spare
FEWEST = 3
_UNCHANGED = tuple(
    counter_of(CounterPrefix.POLLS, result) for result in (PollResult.NOT_MODIFIED, PollResult.SAME)
)


def watch_screen(
    look: ScreenState, overview: WatchOverview, now: datetime, width: int, height: int
) -> RenderableType:
    """The whole screen for a terminal of this size: a few figures, and as many headlines as fit."""
    width = min(width, WIDEST)
    headlines = _headlines(overview, now, width, max(height - AROUND, FEWEST))
    title = head(replace(look, start=None), width)  # most queued entries are the next polls
    return Group(
        title,
        Text(),
        _figures(look, overview, now, width),
        Text(),
        headlines,
        Text(),
        waiting(look),
        foot(look),
    )


def _figures(look: ScreenState, overview: WatchOverview, now: datetime, width: int) -> RenderableType:
    snapshot = look.snapshot
    rows = Table.grid(padding=(0, 1))
    rows.add_column(width=8, style="dim")
    rows.add_column(width=7, justify="right", style="bold", no_wrap=True)
    rows.add_column(width=width - 17, no_wrap=True, overflow="ellipsis")
    rows.add_row("articles", count(snapshot.since_start(CounterName.DOCUMENTS)), _lateness(overview))
    rows.add_row("polls", count(sum(snapshot.counted(CounterPrefix.POLLS).values())), _repetition(look))
    rows.add_row(
        "pages",
        count(snapshot.since_start(CounterName.PAGES)),
        Text(f"{rate(snapshot.pages_per_s)}, ") + workers(look),
    )
    rows.add_row("sources", count(overview.sources), _needy(overview))
    rows.add_row("jobs", count(overview.jobs.jobs), _job_line(overview.jobs, now))
    return rows


def _job_line(jobs: JobOverview, now: datetime) -> Text:
    """How many jobs run, the next one, and the command that shows those that have failed."""
    told = [f"{count(jobs.running)} running"]
    if jobs.next_run_at is not None and jobs.next_source is not None:
        wait_s = (jobs.next_run_at - now).total_seconds()
        told.append(f"next {harmless(jobs.next_source)} {'now' if wait_s <= 0 else f'in {brief(wait_s)}'}")
    if not jobs.failed:
        return Text(", ".join(told))
    told.append(f"{count(jobs.failed)} failed: `outrider job list --status failed` says why")
    return Text(", ".join(told), style="yellow")


def _lateness(overview: WatchOverview) -> str:
    begun = "since this watch began"
    return (
        begun
        if overview.lag_s is None
        else f"{begun}, the usual one {brief(overview.lag_s)} after publication"
    )


def _repetition(look: ScreenState) -> str:
    return f"{count(sum(map(look.snapshot.since_start, _UNCHANGED)))} with nothing new"


def _needy(overview: WatchOverview) -> Text:
    """Sources with problems, and the command that shows them."""
    counts = {"failing": overview.failing, "silent": overview.silent}
    needy = {name: number for name, number in counts.items() if number}
    if not needy:
        return Text("all fine")
    told = ", ".join(f"{count(number)} {name}" for name, number in needy.items())
    options = " or ".join(f"--{name}" for name in needy)
    return Text(f"{told}: `outrider source list {options}` says why", style="yellow")


def _headlines(overview: WatchOverview, now: datetime, width: int, height: int) -> RenderableType:
    """The newest first; blank lines keep the height constant."""
    rows = Table.grid(padding=(0, 2))
    columns = [column for column in _COLUMNS if width >= column.least_width]
    for column in columns:
        room = column.width or width - sum(each.width + 2 for each in columns if each.width)
        justify: JustifyMethod = "right" if column.is_number else "left"
        rows.add_column(width=room, justify=justify, no_wrap=True, overflow="ellipsis")
    rows.add_row(*(Text(column.title, style="bold") for column in columns))
    shown = overview.articles[:height]
    for article in shown:
        rows.add_row(*(plain(column.text(article, now), column.style) for column in columns))
    blank = height - len(shown)
    return Group(rows, *([Text("\n" * (blank - 1))] if blank else []))


def _age(article: LatestArticle, now: datetime) -> str:
    return brief(max((now - article.appeared_at).total_seconds(), 0.0))


def _lag(article: LatestArticle, _: datetime) -> str:
    return "" if article.lag_s is None else brief(article.lag_s)


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    text: Callable[[LatestArticle, datetime], str]
    width: int = 0  # 0: what the others leave
    least_width: int = 0  # of the screen; on a narrower one headlines matter more
    is_number: bool = False
    style: str = ""


_COLUMNS = (
    _Column("age", _age, width=4, is_number=True, style="dim"),
    _Column("source", lambda article, _: article.source, width=16),
    _Column("found by", lambda article, _: article.way.label, width=12, least_width=100, style="dim"),
    _Column("after", _lag, width=5, least_width=72, is_number=True),
    _Column("latest articles", lambda article, _: article.title or article.url),
)
