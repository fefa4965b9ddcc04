"""Limits how many lines of one kind a worker writes for a run. Pure: takes `now`."""

PER_WINDOW = 10
WINDOW_S = 60.0
MOST_KINDS = 1_000  # hosts and reasons that one worker distinguishes in a window


class Throttle:
    """So many lines of each kind in a window; the first lines of each window pass."""

    def __init__(self, per_window: int = PER_WINDOW, window_s: float = WINDOW_S) -> None:
        self._per_window = per_window
        self._window_s = window_s
        self._began = float("-inf")
        self._seen: dict[str, int] = {}

    def allows(self, kind: str, now: float, most: int | None = None) -> bool:
        """Whether one more line of this kind may be written; with `most`, at most so many in this window."""
        if now - self._began >= self._window_s:
            self._began = now
            self._seen.clear()
        count = self._seen.get(kind, 0)
        if count >= (self._per_window if most is None else most) or (
            not count and len(self._seen) >= MOST_KINDS
        ):
            return False
        self._seen[kind] = count + 1
        return True
