"""Shares among all workers which watched sources exceed their rate of new URLs and must pause."""

import time

from outrider.crawl.limits.new_url_limit import NewUrlLimit
from outrider.db.reconnecting import ReconnectingConnection
from outrider.sources.url_debts import add_url_debts


async def share_url_debts(
    new_url_limit: NewUrlLimit, connection: ReconnectingConnection, per_s: float
) -> None:
    """Add this worker's new URLs to the shared sum, and use the sum from now on."""
    reported = new_url_limit.unreported()
    if not reported:
        return
    owed = await connection.run(lambda db: add_url_debts(db, reported, per_s))
    new_url_limit.take_over(owed, reported, time.monotonic())
