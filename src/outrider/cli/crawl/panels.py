"""The parts of the live screen: from a snapshot to renderables of Rich. Pure.

Colours are the sixteen of the terminal, never a background, so that light and dark themes are readable.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.cli.output import plain
from outrider.crawl.admission.skip_reason import SkipReason
from outrider.crawl.seeds import StartedCrawl
from outrider.frontier.counter_name import CounterName, CounterPrefix, counter_of
from outrider.services.crawl.session import Task
from outrider.wording import bar, clock, count, plural, rate, short, size, span, sparkline, words
from outrider.workers.snapshot import Snapshot

ROWS = 5  # in each block: the height of the screen stays constant
WIDEST = 140
LEAST_HEIGHT, LEAST_WIDTH = 18, 72  # on a smaller terminal only the figures are shown
_HUE = {"1": "cyan", "2": "green", "3": "cyan", "4": "yellow", "5": "red"}


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The input of one drawing of the screen."""

    task: Task
    snapshot: Snapshot
    history: SnapshotHistory
    start: StartedCrawl | None = None
    draining: bool = False
    silent: bool = False  # the database does not answer


def picture(look: ScreenState, width: int, height: int) -> RenderableType:
    """The whole screen for a terminal of this size."""
    width = min(width, WIDEST)
    parts: list[RenderableType] = [head(look, width), Text()]
    if look.task.goal.max_pages is not None:
        parts += [_limit(look, width), Text()]
    parts.append(_figures(look, width))
    if height >= LEAST_HEIGHT and width >= LEAST_WIDTH:
        parts += [Text(), _blocks(look, width)]
    return Group(*parts, Text(), waiting(look), foot(look))


def head(look: ScreenState, width: int) -> RenderableType:
    """The title of the crawl, and its duration."""
    line = Table.grid(expand=False, padding=(0, 2))
    line.add_column(width=width - 12, no_wrap=True, overflow="ellipsis")
    line.add_column(width=10, justify="right")
    title = Text("outrider  ", style="bold cyan") + plain(look.task.title, "bold")
    if look.start is not None:
        title.append(_origin(look.start), style="dim")
    line.add_row(title, Text(clock(look.snapshot.at), style="bold"))
    notice = look.task.robots_notice
    return line if notice is None else Group(line, plain(notice, "bold red"))


def _origin(start: StartedCrawl) -> str:
    """The run of a crawl, and what an earlier process left."""
    said = f"  run {start.run_id}" if start.run_id else ""
    if start.resumed:
        said += f"  resumed with {count(start.resumed)} queued"
    return said


def _limit(look: ScreenState, width: int) -> RenderableType:
    pages, limit = look.snapshot.pages, look.task.goal.max_pages or 1
    share = pages / limit
    told = f"  {count(pages)} of {count(limit)} pages  {share:4.0%}"
    room = width - len(told)
    done = bar(share, room)
    return Text.assemble((done, "cyan"), ("─" * (room - len(done)), "dim"), told)


def _figures(look: ScreenState, width: int) -> RenderableType:
    if width < LEAST_WIDTH:
        return Group(_rates(look, width), Text(), _counts(look.snapshot))
    side = Table.grid(padding=(0, 3))
    side.add_column(width=width - 40, no_wrap=True)
    side.add_column(width=36, no_wrap=True)
    side.add_row(_rates(look, width - 40), _counts(look.snapshot))
    return side


def _rates(look: ScreenState, width: int) -> RenderableType:
    snapshot, host_counts = look.snapshot, look.snapshot.host_counts
    rows = _pairs(width)
    graph = sparkline(list(look.history.rates), max(width - 28, 5))
    rows.add_row(
        "pages", count(snapshot.pages), Text(f"{rate(snapshot.pages_per_s):>8} ") + Text(graph, "green")
    )
    rows.add_row(
        "bytes", size(snapshot.since_start(CounterName.BYTES)), f"{size(snapshot.bytes_per_s)}/s".rjust(8)
    )
    told = Text("active, ")
    if host_counts.broken:
        told.append(f"{host_counts.broken} resting, ", style="yellow")
    told.append(f"{short(host_counts.waiting)} waiting")
    rows.add_row("hosts", count(host_counts.leased), told)
    rows.add_row("workers", str(len(snapshot.workers)), workers(look))
    return rows


def workers(look: ScreenState) -> Text:
    """CPU and memory of the workers."""
    memory = sum(float(worker.stats.get("rss_mb", 0)) for worker in look.snapshot.workers)
    text = Text(f"cpu {sum(look.history.cpu.values()):.0%}, {memory:.0f} MB")
    if look.snapshot.deaths:
        text.append(f", {look.snapshot.deaths} replaced", style="red")
    return text


def _counts(snapshot: Snapshot) -> RenderableType:
    totals, others = snapshot.totals, snapshot.totals.others
    duplicates = others.get(CounterName.DUPLICATES, 0) + others.get(CounterName.NEAR_DUPLICATES, 0)
    skipped = sum(snapshot.counted(CounterPrefix.SKIPPED).values())
    trapped = snapshot.since_start(counter_of(CounterPrefix.SKIPPED, SkipReason.TRAP))
    grid = Table.grid(padding=(0, 1))
    for room in (7, 10):
        grid.add_column(width=room, style="dim", no_wrap=True)
        grid.add_column(width=6, justify="right", style="bold", no_wrap=True)
        grid.add_column(width=1)
    for left, number, right, other in (
        ("queued", totals.pending, "dead", totals.dead),
        ("known", totals.known, "redirects", totals.aliases),
        ("kept", others.get(CounterName.DOCUMENTS, 0), "duplicates", duplicates),
        (
            "skipped",
            skipped,
            "trap links",
            trapped,
        ),
    ):
        grid.add_row(left, short(number), "", right, short(other))
    return grid


def _blocks(look: ScreenState, width: int) -> RenderableType:
    each = (width - 6) // 3
    side = Table.grid(padding=(0, 3))
    for _ in range(3):
        side.add_column(width=each, no_wrap=True)
    dead = look.snapshot.counted(CounterPrefix.DEAD)
    errors = [(words(reason), count(number), "yellow") for reason, number in dead.items()]
    slowest = [(slow.host, span(slow.answer_ms / 1000), "") for slow in look.snapshot.slowest]
    side.add_row(
        _answers(look.snapshot, each), _block("errors", errors, each), _block("slowest hosts", slowest, each)
    )
    return side


def _answers(snapshot: Snapshot, width: int) -> RenderableType:
    """Requests by status or by the name of their failure."""
    counted = snapshot.counted(CounterPrefix.STATUS) | snapshot.counted(CounterPrefix.FAILURE)
    found = dict(sorted(counted.items(), key=lambda item: -item[1])[:ROWS])
    most = max(found.values(), default=1)
    names = [words(name)[: width // 2] for name in found]
    room = max((len(name) for name in names), default=3)
    rows = Table.grid(padding=(0, 1))
    rows.add_column(width=room, no_wrap=True)
    rows.add_column(width=width - room - 9, no_wrap=True)
    rows.add_column(width=7, justify="right")
    for (name, number), shown in zip(found.items(), names, strict=True):
        hue = _HUE.get(name[0], "red") if name.isdigit() else "red"
        rows.add_row(Text(shown, style=hue), Text(bar(number / most, width - room - 9), hue), count(number))
    return _titled("answers", rows, len(names))


def _block(title: str, lines: Sequence[tuple[str, str, str]], width: int) -> RenderableType:
    rows = Table.grid(padding=(0, 1))
    rows.add_column(width=width - 9, no_wrap=True, overflow="ellipsis")
    rows.add_column(width=8, justify="right")
    shown = lines[:ROWS]
    for name, figure, style in shown:
        rows.add_row(plain(name, style), figure)
    return _titled(title, rows, len(shown))


def _titled(title: str, rows: RenderableType, used: int) -> RenderableType:
    body: Iterable[RenderableType] = [rows] if used else [Text("none so far", style="dim")]
    blank = ROWS - max(used, 1)
    return Group(Text(title, style="bold"), *body, *([Text("\n" * (blank - 1))] if blank else []))


def waiting(look: ScreenState) -> Text:
    """What the crawl waits for, if it waits."""
    if look.silent:
        stop = "Ctrl-C again stops at once" if look.draining else "Ctrl-C twice stops at once"
        return Text(f"The database does not answer, waiting for it. {stop}.", style="bold red")
    if (left := look.snapshot.uncompared) is not None:
        return Text(f"Searching for copies: {plural(left, 'page')} to go; Ctrl-C leaves them for later.")
    if look.draining:
        return Text("Finishing requests in progress; Ctrl-C again stops at once.", style="bold yellow")
    if not look.snapshot.workers and look.snapshot.worker_error is None:
        return Text("workers are starting", style="dim")
    if look.history.waiting is None:
        return Text()
    return Text("waiting  ", style="dim") + Text(look.history.waiting, style="yellow")


def foot(look: ScreenState) -> Text:
    """How to stop, and the path of the log."""
    foot = Text("Ctrl-C stops, the same command resumes.", style="dim")
    if look.task.log is not None:
        foot.append(f"  Log: {look.task.log}", style="dim")
    foot.no_wrap, foot.overflow = True, "ellipsis"
    return foot


def _pairs(width: int) -> Table:
    rows = Table.grid(padding=(0, 1))
    rows.add_column(width=7, style="dim")
    rows.add_column(width=9, justify="right", style="bold", no_wrap=True)
    rows.add_column(width=width - 18, no_wrap=True, overflow="ellipsis")
    return rows
