"""Shares among all workers which watched sources exceed their rate of new URLs and must pause."""

import time

from outrider.crawl.limits.intake import Intake
from outrider.db.reconnecting import ReconnectingConnection
from outrider.sources.url_debts import add_url_debts


async def share(intake: Intake, connection: ReconnectingConnection, per_s: float) -> None:
    """Add this worker's new URLs to the shared sum, and use the sum from now on."""
    told = intake.worth_telling()
    if not told:
        return
    owed = await connection.run(lambda db: add_url_debts(db, told, per_s))
    intake.hear(owed, told, time.monotonic())
