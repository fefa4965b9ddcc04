"""Why a crawl cannot go faster (CAP-08). Pure."""

from outrider.wording import pace, plural, span
from outrider.workers.snapshot import Snapshot

SOON_S = 1.5
MOSTLY_IDLE = 0.5  # requests in progress for each active host
LONG_DELAY_S = 0.25  # a shorter delay is the reason only if the page rate is near its maximum
NEARLY = 0.3


def waiting_for(snapshot: Snapshot) -> str | None:
    """One sentence without a full stop; None if the crawl does not wait."""
    if snapshot.worker_error is not None:
        return f"all workers fail at their start: {snapshot.worker_error}"
    if snapshot.totals.pending <= 0:
        return None
    host_counts = snapshot.host_counts
    if host_counts.leased == 0 and (due := snapshot.next_due_in_s) is not None and due > SOON_S:
        resting = (
            f", {plural(host_counts.broken, 'host')} resting after failures" if host_counts.broken else ""
        )
        return f"nothing is due for another {span(due)}{resting}"
    hosts = host_counts.leased + host_counts.waiting
    if not hosts or snapshot.is_crowded or snapshot.pace.most_s <= 0:
        return None
    if snapshot.in_flight > hosts * MOSTLY_IDLE:
        return None
    delay_s = snapshot.pace.most_s
    if delay_s < LONG_DELAY_S and snapshot.pages_per_s < NEARLY * hosts / delay_s:
        return None
    return f"{plural(hosts, 'host')}, {'each ' if hosts > 1 else ''}at {_paces(snapshot)}"


def _paces(snapshot: Snapshot) -> str:
    least, most = snapshot.pace.least_s, snapshot.pace.most_s
    return pace(most) if least == most else f"{pace(least)} to {pace(most)}"
