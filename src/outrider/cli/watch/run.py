"""Runs the watch in the foreground."""

from contextlib import nullcontext
from datetime import UTC, datetime

from rich.console import RenderableType

from outrider.cli.contact import require_contact
from outrider.cli.crawl.panels import ScreenState, picture
from outrider.cli.crawl.run import CrawlDisplay, TerminalWatcher, log_file
from outrider.cli.crawl.screen import Draw
from outrider.cli.database import open_database
from outrider.cli.output import print_json, say, show
from outrider.cli.show.facts import facts
from outrider.cli.watch.panels import watch_screen
from outrider.services.as_json import as_json
from outrider.services.crawl.session import stopped
from outrider.services.sources.watch import run_watch, watched_addresses
from outrider.services.sources.watch_board import WatchBoard
from outrider.settings import Loaded
from outrider.wording import count


async def watch_and_report(loaded: Loaded, display: CrawlDisplay, *, once: bool) -> bool:
    """Watch until the end, then print the result; False if the watch was stopped."""
    settings, log = loaded.settings, log_file(loaded.settings, display)
    pooled = settings.database.through_pooler
    async with (
        open_database(loaded) as database,
        WatchBoard(database.dsn, through_pooler=pooled) if display.is_live else nullcontext() as board,
    ):
        async with database.connection() as db:
            require_contact(settings.fetch, await watched_addresses(db))
        draw = picture if board is None else _drawing(board)
        report = await run_watch(
            database,
            settings,
            lambda task: TerminalWatcher(task, settings, display, log, draw),
            once=once,
            log=log.path if log else None,
        )
    if display.json:
        print_json(as_json(report))
    elif not display.quiet:
        show(facts((name.replace("_", " "), _told(value)) for name, value in report.figures.items()))
    if report.result.is_stopped:
        say(stopped(report.result.snapshot))
    return not report.result.is_stopped


def _drawing(board: WatchBoard) -> Draw:
    def draw(at: ScreenState, width: int, height: int) -> RenderableType:
        return watch_screen(at, board.overview, datetime.now(UTC), width, height)

    return draw


def _told(value: object) -> object:
    return count(value) if isinstance(value, int) else value
