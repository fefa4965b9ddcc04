"""A hint for the claim: where the first live entry of the due index is, for each priority."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

NEVER = datetime(2000, 1, 1, tzinfo=UTC)
LIFE_S = 5.0


class LowWater:
    """One mark for each priority, highest first. Hosts below it were leased a moment ago.

    Dead index entries at the head of a queue appear faster than vacuum removes them; the marks let the
    claim skip them. A host that a mark hides is found after the next reset.
    """

    def __init__(self) -> None:
        self._marks = [NEVER] * 10
        self._reset_at = 0.0

    def marks(self, now: float) -> list[datetime]:
        if now >= self._reset_at:
            self._marks = [NEVER] * 10
            self._reset_at = now + LIFE_S
        return self._marks

    def learn(self, rows: Iterable[Any]) -> None:
        for row in rows:
            place = 10 - row["host_prio"]
            self._marks[place] = max(self._marks[place], row["was_due_at"] - timedelta(seconds=1))
