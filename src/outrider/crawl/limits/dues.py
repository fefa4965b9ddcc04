"""What watched sources owe for URLs taken ahead of their rate: one debt for all workers."""

import time

import asyncpg

from outrider.crawl.limits.intake import Intake
from outrider.db.line import Line
from outrider.db.queries import Queries


async def share(intake: Intake, line: Line, per_s: float) -> None:
    """Add what this worker took to what all of them did, and go by the sum from now on."""
    told = intake.worth_telling()
    if not told:
        return

    async def add(db: asyncpg.Connection) -> list[asyncpg.Record]:
        sql = Queries.load("outrider.crawl.limits")
        return await db.fetch(sql.owe, list(told), list(told.values()), per_s)

    rows = await line.run(add)
    intake.hear({row["source_id"]: row["owed"] for row in rows}, told, time.monotonic())
