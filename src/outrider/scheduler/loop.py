"""Runs the passes of a scheduler at their intervals until it is told to stop."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from outrider.app import scheduler_for
from outrider.crawl.operator_runs import end_operator_runs
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.events.notify import EventNotifier
from outrider.frontier.store import FrontierStore
from outrider.jobs.scheduler import Scheduler
from outrider.logs import get_logger
from outrider.periodic_tasks import PeriodicTask, run_periodically
from outrider.scheduler.leader import lead
from outrider.settings import Settings

log = get_logger()

TICK_S = 0.25
WATCH_S = 1.0
ASKED_S = 1.0  # a job that an operator wants to run now starts within this time
RENEW_S = 20.0
TAKE_OVER_S = 60.0  # SCH-09
REPORT_S = 30.0  # SCH-14
PATIENCE_S = 10.0

EndCrawls = Callable[[], Awaitable[int]]


async def run_scheduler(settings: Settings, dsn: str, stop: asyncio.Event) -> None:
    """Schedule jobs until `stop` is set. A database that is away is waited for."""
    connection = ReconnectingConnection(
        dsn, application_name="outrider scheduler", through_pooler=settings.database.through_pooler
    )
    notifier = EventNotifier(connection)
    scheduler = scheduler_for(settings, connection, notifier.written)
    end_crawls = partial(_end_crawls, connection, FrontierStore(settings.frontier))
    working = asyncio.create_task(_work(scheduler, settings.jobs.poll_s, end_crawls))
    leading = asyncio.create_task(lead(settings, dsn))
    notifying = asyncio.create_task(notifier.run())
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
    finally:
        tasks = (working, leading, notifying, stopping)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Unavailable):
            await scheduler.stop()
        await connection.close()
    if not working.cancelled() and (error := working.exception()) is not None:
        raise error


async def _end_crawls(connection: ReconnectingConnection, frontier: FrontierStore) -> int:
    return await connection.run(partial(end_operator_runs, frontier=frontier), patience_s=PATIENCE_S)


async def _work(scheduler: Scheduler, poll_s: float, end_crawls: EndCrawls) -> None:
    while True:
        try:
            await scheduler.register()
            break
        except Unavailable as error:
            log.warning("the scheduler waits for the database", error=str(error))
            await asyncio.sleep(1.0)
    log.info("scheduler started", token=str(scheduler.token))
    tasks = [*tasks_of(scheduler, poll_s), PeriodicTask("end crawls", WATCH_S, end_crawls)]
    await run_periodically(tasks, TICK_S)


def tasks_of(scheduler: Scheduler, poll_s: float) -> list[PeriodicTask]:
    """The passes of a scheduler with their intervals, in the order in which they run."""
    return [
        PeriodicTask("take over runs", TAKE_OVER_S, scheduler.take_over),
        PeriodicTask("renew locks", RENEW_S, scheduler.renew),
        PeriodicTask("watch runs", WATCH_S, scheduler.watch_runs),
        PeriodicTask("start jobs now", ASKED_S, partial(scheduler.start_due, asked_for=True)),
        PeriodicTask("start due jobs", poll_s, scheduler.start_due),
        PeriodicTask("report", REPORT_S, scheduler.report),
    ]
