"""Every few seconds a worker learns which URL templates other workers found to be endless."""

import asyncio
from contextlib import suppress

from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable

REFRESH_S = 5.0


async def refresh_traps(context: WorkerContext, connection: ReconnectingConnection) -> None:
    """Read the barren templates every few seconds, until cancelled."""
    while True:
        with suppress(Unavailable):
            context.watch.barren |= await connection.run(context.frontier.barren_templates)
        await asyncio.sleep(REFRESH_S)
