"""Duties of the leader: one sample a minute, and a roll-up of old days."""

from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.logs import get_logger
from outrider.metrics_history.figures import CrawlFigures, read_crawl_figures
from outrider.metrics_history.series import samples_of
from outrider.metrics_history.store import HistoryStore
from outrider.periodic_tasks import PeriodicTask

log = get_logger()

SAMPLE_S = 10.0  # how often the task looks whether the minute has a sample
ROLL_UP_S = 3600.0
MOST_DAYS = 60  # of one roll-up

Fence = Callable[[asyncpg.Connection], Awaitable[None]]
Publish = Callable[[CrawlFigures], Awaitable[None]]


def sampling_tasks(
    connection: ReconnectingConnection, fence: Fence, publish: Publish | None = None
) -> list[PeriodicTask]:
    """The tasks of the leader. `publish` gets the figures of each sample."""
    return [
        PeriodicTask("sample figures", SAMPLE_S, partial(sample, connection, fence, publish)),
        PeriodicTask("roll up figures", ROLL_UP_S, partial(roll_up, connection, fence)),
    ]


async def sample(connection: ReconnectingConnection, fence: Fence, publish: Publish | None = None) -> bool:
    """Store the figures of this minute and log the counts of the frontier (OBS-11); False if it has some."""
    figures = await connection.run(partial(_store, fence=fence))
    if figures is None:
        return False
    log.info("frontier counts", **figures.states, hosts=dict(figures.hosts), workers=figures.workers.live)
    if publish is not None:
        await publish(figures)
    return True


async def roll_up(connection: ReconnectingConnection, fence: Fence) -> int:
    """Roll up the days that are older than 7 days, each in its own transaction; returns how many."""
    for days in range(MOST_DAYS):
        if await connection.run(partial(_roll_up_one, fence=fence)) is None:
            return days
    return MOST_DAYS


async def _store(db: asyncpg.Connection, fence: Fence) -> CrawlFigures | None:
    store = HistoryStore()
    if await store.has_sample(db):
        return None
    async with db.transaction():
        await fence(db)
        figures = await read_crawl_figures(db)
        await store.add(db, samples_of(figures))
    return figures


async def _roll_up_one(db: asyncpg.Connection, fence: Fence) -> object:
    async with db.transaction():
        await fence(db)
        return await HistoryStore().roll_up_oldest(db)
