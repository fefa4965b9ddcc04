"""Runs a scheduler in the foreground until it is told to stop."""

import asyncio
import signal

from outrider import logs
from outrider.cli.database import open_database
from outrider.cli.output import print_json
from outrider.cli.streams import as_data, in_words, progress
from outrider.scheduler.loop import run_scheduler
from outrider.settings import Loaded
from outrider.wording import plural, span


async def schedule_until_stopped(loaded: Loaded, *, json: bool) -> None:
    """Schedule jobs until Ctrl-C or SIGTERM. Runs that go on are taken over by other schedulers."""
    options, stop = loaded.settings.jobs, asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    logs.set_up(loaded.settings.logs, service="scheduler")
    out = progress(as_data if json else in_words)
    async with open_database(loaded) as database:
        if json:
            print_json({"event": "scheduling", "poll_s": options.poll_s, "most_runs": options.most_runs}, out)
        else:
            print(
                f"Looking for due jobs every {span(options.poll_s)}, up to "
                f"{plural(options.most_runs, 'run')} at once (Ctrl-C stops it)\n"
                "Pages are fetched by workers: `outrider watch` on this or another machine",
                file=out,
                flush=True,
            )
        await run_scheduler(loaded.settings, database.dsn, stop)
        if json:
            print_json({"event": "stopped"}, out)
        else:
            print(
                "Stopped. Another scheduler takes over the runs that go on, or the next start does", file=out
            )
