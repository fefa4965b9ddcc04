"""The search for near-duplicates, in the idle time of a worker."""

import asyncio
import time
from contextlib import suppress

import asyncpg

from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.near_duplicates import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.workers.idle_check import IdleCheck

LOOK_S = 0.2  # between two checks of how busy the lanes are
COMPARE_S = 2.0  # rest when nothing is left to compare


async def compare_when_idle(context: WorkerContext, connection: ReconnectingConnection) -> None:
    """Compare documents, one pass at a time, until cancelled."""
    store, idle_check = DocumentStore(), IdleCheck(time.monotonic(), context.figures["pages"])

    async def compare_some(db: asyncpg.Connection) -> Compared:
        return await compare(db, store, context.frontier.slot)

    while True:
        await asyncio.sleep(LOOK_S)
        if not idle_check.is_now(time.monotonic(), context.figures["pages"]):
            continue
        compared = Compared(0, 0)
        with suppress(Unavailable):
            compared = await connection.run(compare_some)
        if not compared.signed:
            idle_check.catch_up(time.monotonic())
            await asyncio.sleep(COMPARE_S)
