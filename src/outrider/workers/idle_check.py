"""Whether a worker has time for deferrable work, such as the search for near-duplicates. Pure."""

BUSY = 50.0  # pages a second from which on a worker has no time for deferrable work
LONGEST_WAIT_S = 300.0  # after this time the work is done even when the worker is busy


class IdleCheck:
    """Compares the number of pages that a worker has read at intervals."""

    def __init__(self, now: float, pages: int) -> None:
        self._at = now
        self._pages = pages
        self._caught_up_at = now

    def should_run(self, now: float, pages: int) -> bool:
        """Whether the worker was idle since the last check, or the work has waited too long."""
        rate = (pages - self._pages) / max(now - self._at, 1e-9)
        self._at, self._pages = now, pages
        return rate < BUSY or now - self._caught_up_at > LONGEST_WAIT_S

    def mark_done(self, now: float) -> None:
        """All deferrable work is done."""
        self._caught_up_at = now
