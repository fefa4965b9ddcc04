"""The search for near-duplicates, in the idle time of a worker."""

import asyncio
import time
from contextlib import suppress

from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.near_duplicates import ComparisonResult
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.workers.comparison import compare_some
from outrider.workers.idle_check import IdleCheck

LOOK_S = 0.2  # between two checks of how busy the lanes are
COMPARE_S = 2.0  # rest when nothing is left to compare


async def compare_when_idle(context: WorkerContext, connection: ReconnectingConnection) -> None:
    """Compare documents, one pass at a time, until cancelled."""
    store, idle_check = DocumentStore(), IdleCheck(time.monotonic(), context.figures["pages"])

    while True:
        await asyncio.sleep(LOOK_S)
        if not idle_check.should_run(time.monotonic(), context.figures["pages"]):
            continue
        compared = ComparisonResult(0, 0)
        with suppress(Unavailable):
            compared = await connection.run(lambda db: compare_some(db, store, context.frontier))
        if not compared.signed:
            idle_check.mark_done(time.monotonic())
            await asyncio.sleep(COMPARE_S)
