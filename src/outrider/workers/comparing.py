"""Looking for near-duplicates, whenever the lanes leave time for it."""

import asyncio
import time
from contextlib import suppress

import asyncpg

from outrider.crawl.desk import Desk
from outrider.db.line import Line
from outrider.documents.likeness import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Unavailable
from outrider.workers.leisure import Leisure

LOOK_S = 0.2  # between two looks at how busy the lanes are
COMPARE_S = 2.0  # nothing is left to compare: more comes by and by


async def compare_at_leisure(desk: Desk, line: Line) -> None:
    """For ever, a pass at a time."""
    store, leisure = DocumentStore(), Leisure(time.monotonic(), desk.figures["pages"])

    async def compare_some(db: asyncpg.Connection) -> Compared:
        return await compare(db, store, desk.frontier.slot)

    while True:
        await asyncio.sleep(LOOK_S)
        if not leisure.is_now(time.monotonic(), desk.figures["pages"]):
            continue
        compared = Compared(0, 0)
        with suppress(Unavailable):
            compared = await line.run(compare_some)
        if not compared.signed:
            leisure.catch_up(time.monotonic())
            await asyncio.sleep(COMPARE_S)
