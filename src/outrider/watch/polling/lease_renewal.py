"""Renews the host lease of a visit while it reads a long answer: no other worker may take it (FED-23)."""

import time

from outrider.crawl.visit import Visit

SPARE_S = 20.0  # a lease with less time left is renewed


async def renew_lease(visit: Visit) -> None:
    """Renew the lease if it ends soon. `turn.is_lost` tells the lane whether the lease was lost."""
    lease, turn, context = visit.turn.lease, visit.turn, visit.context
    if turn.is_lost or lease.leaves_time_for(SPARE_S, time.monotonic()):
        return
    kept = await context.connection.run(lambda db: context.frontier.renew(db, [lease]), patience_s=60)
    turn.is_lost = lease.host_id not in kept
