"""Runs the watch for somebody who looks on."""

from contextlib import nullcontext

from outrider.cli.contact import require_contact
from outrider.cli.crawl.panels import picture
from outrider.cli.crawl.run import Manner, Ran, supervise
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


async def watch_and_tell(loaded: Loaded, manner: Manner, *, once: bool) -> bool:
    """Watch until it is over, then say what it brought; False when it was cut off."""
    async with (
        open_database(loaded) as database,
        _board_keeper(loaded, database.dsn) if manner.is_live else nullcontext() as keeper,
    ):
        async with database.connection() as db:
            require_contact(loaded.settings.fetch, await SourceStore().addresses(db))
        draw = picture if keeper is None else keeper.draw
        ran = await supervise(loaded, database, WatchGoal(once), manner, draw)
    if manner.json:
        metrics = crawl_metrics(ran.snapshot.before, ran.snapshot.totals)
        obeyed = ran.task.robots_notice is None
        print_json({"event": "summary", **_data(ran), "robots_obeyed": obeyed, "metrics": metrics})
    elif not manner.quiet:
        show(facts((name.replace("_", " "), _told(value)) for name, value in _data(ran).items()))
    if ran.is_stopped:
        say(stopped(ran.snapshot))
    return not ran.is_stopped


def _board_keeper(loaded: Loaded, dsn: str) -> BoardKeeper:
    through_pooler = loaded.settings.database.through_pooler
    return BoardKeeper(
        ReconnectingConnection(dsn, application_name="outrider board", through_pooler=through_pooler)
    )


def _told(value: object) -> object:
    return count(value) if isinstance(value, int) else value


def _data(ran: Ran) -> dict[str, object]:
    snapshot, due_in_s, notice = ran.snapshot, ran.snapshot.next_due_in_s, ran.task.robots_notice
    return {
        **({} if notice is None else {"robots_notice": notice}),
        "ended": ran.ending.value,
        "polls": sum(snapshot.counted(CounterPrefix.POLLS).values()),
        "pages": snapshot.since_start(CounterName.PAGES),
        "new_documents": snapshot.since_start(CounterName.DOCUMENTS),
        "queued": snapshot.totals.pending,
        "next_due": None if due_in_s is None else f"in {span(max(due_in_s, 0.0))}",
    }
