"""Every few seconds a worker learns which URL templates other workers found to be endless."""

import asyncio
from contextlib import suppress

from outrider.crawl.desk import Desk
from outrider.db.line import Line
from outrider.errors import Unavailable

REFRESH_S = 5.0


async def refresh_traps(desk: Desk, line: Line) -> None:
    """Read the templates that yield nothing new, again and again, until cancelled."""
    while True:
        with suppress(Unavailable):
            desk.watch.barren |= await line.run(desk.frontier.barren_templates)
        await asyncio.sleep(REFRESH_S)
