"""Keeps the host of a visit while its answer takes long to read: nobody else is to ask it then (FED-23)."""

import time

from outrider.crawl.visit import Visit

SPARE_S = 20.0  # left of a lease when it is renewed


async def hold_on(visit: Visit) -> None:
    """Renew the lease if it will end soon. Should it be lost, the lane learns that from its turn."""
    lease, turn, context = visit.turn.lease, visit.turn, visit.context
    if turn.is_lost or lease.leaves_time_for(SPARE_S, time.monotonic()):
        return
    kept = await context.connection.run(lambda db: context.frontier.renew(db, [lease]), patience_s=60)
    turn.is_lost = lease.host_id not in kept
