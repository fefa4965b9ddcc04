"""Tells all workers which watched sources owe a pause for URLs they brought ahead of their rate."""

import time

from outrider.crawl.limits.intake import Intake
from outrider.db.reconnecting import ReconnectingConnection
from outrider.sources.url_debts import add_url_debts


async def share(intake: Intake, connection: ReconnectingConnection, per_s: float) -> None:
    """Add what this worker took to what all of them did, and go by the sum from now on."""
    told = intake.worth_telling()
    if not told:
        return
    owed = await connection.run(lambda db: add_url_debts(db, told, per_s))
    intake.hear(owed, told, time.monotonic())
