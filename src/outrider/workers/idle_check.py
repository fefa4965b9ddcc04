"""Whether a worker has time for what can wait, such as looking for near-duplicates. Pure."""

BUSY = 50.0  # pages a second: with more to do than this, a worker has better things to do
LONGEST_WAIT_S = 300.0  # what can wait does not wait for ever


class IdleCheck:
    """Looks now and then at how many pages a worker has read."""

    def __init__(self, now: float, pages: int) -> None:
        self._at = now
        self._pages = pages
        self._caught_up_at = now

    def is_now(self, now: float, pages: int) -> bool:
        """Has little been done since the last look, or has the work waited too long?"""
        rate = (pages - self._pages) / max(now - self._at, 1e-9)
        self._at, self._pages = now, pages
        return rate < BUSY or now - self._caught_up_at > LONGEST_WAIT_S

    def catch_up(self, now: float) -> None:
        """Nothing waits any more."""
        self._caught_up_at = now
