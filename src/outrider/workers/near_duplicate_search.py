"""The search for near-duplicates, in the idle time of a worker."""

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.near_duplicates import PASS, ComparisonResult, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.frontier.store import FrontierStore
from outrider.workers.idle_check import IdleCheck

if TYPE_CHECKING:  # a command compares what its workers left, and imports no code of workers
    from outrider.crawl.worker_context import WorkerContext

LOOK_S = 0.2  # between two checks of how busy the lanes are
COMPARE_S = 2.0  # rest when nothing is left to compare


async def compare_some(
    db: asyncpg.Connection, store: DocumentStore, frontier: FrontierStore, limit: int = PASS
) -> ComparisonResult:
    """Compare some documents, and count the near-duplicates among them in the same transaction."""
    compared = await compare(db, store, limit)
    await frontier.add_counts(db, compared.counts)
    return compared


async def compare_when_idle(context: "WorkerContext", connection: ReconnectingConnection) -> None:
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
