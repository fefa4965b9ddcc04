"""Runs the watch in the foreground."""

from contextlib import nullcontext

from outrider.cli.contact import require_contact
from outrider.cli.crawl.panels import picture
from outrider.cli.crawl.run import CrawlDisplay, SessionResult, supervise
from outrider.cli.crawl.summary import stopped
from outrider.cli.database import open_database
from outrider.cli.output import print_json, say, show
from outrider.cli.show.facts import facts
from outrider.cli.watch.board_keeper import BoardKeeper
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.settings import Loaded
from outrider.sources.store import SourceStore
from outrider.watch.metrics import crawl_metrics
from outrider.wording import count, span
from outrider.workers.goals import WatchGoal


async def watch_and_tell(loaded: Loaded, display: CrawlDisplay, *, once: bool) -> bool:
    """Watch until the end, then print the result; False if the watch was stopped."""
    async with (
        open_database(loaded) as database,
        _board_keeper(loaded, database.dsn) if display.is_live else nullcontext() as keeper,
    ):
        async with database.connection() as db:
            require_contact(loaded.settings.fetch, await SourceStore().addresses(db))
        draw = picture if keeper is None else keeper.draw
        result = await supervise(loaded, database, WatchGoal(once), display, draw)
    if display.json:
        metrics = crawl_metrics(result.snapshot.before, result.snapshot.totals)
        obeyed = result.task.robots_notice is None
        print_json({"event": "summary", **_data(result), "robots_obeyed": obeyed, "metrics": metrics})
    elif not display.quiet:
        show(facts((name.replace("_", " "), _told(value)) for name, value in _data(result).items()))
    if result.is_stopped:
        say(stopped(result.snapshot))
    return not result.is_stopped


def _board_keeper(loaded: Loaded, dsn: str) -> BoardKeeper:
    through_pooler = loaded.settings.database.through_pooler
    return BoardKeeper(
        ReconnectingConnection(dsn, application_name="outrider board", through_pooler=through_pooler)
    )


def _told(value: object) -> object:
    return count(value) if isinstance(value, int) else value


def _data(result: SessionResult) -> dict[str, object]:
    snapshot, due_in_s, notice = result.snapshot, result.snapshot.next_due_in_s, result.task.robots_notice
    return {
        **({} if notice is None else {"robots_notice": notice}),
        "ended": result.ending.value,
        "polls": sum(snapshot.counted(CounterPrefix.POLLS).values()),
        "pages": snapshot.since_start(CounterName.PAGES),
        "new_documents": snapshot.since_start(CounterName.DOCUMENTS),
        "queued": snapshot.totals.pending,
        "next_due": None if due_in_s is None else f"in {span(max(due_in_s, 0.0))}",
    }
