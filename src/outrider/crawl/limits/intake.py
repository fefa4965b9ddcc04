"""How fast a watched source may add new URLs: excess URLs delay their source. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

BURST = 1_000  # links that one page may add without a pause (SPI-06)
WORTH_TELLING = 100  # a worker reports no smaller number: most sources never add more
MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Debt:
    """URLs in excess of the rate at one moment."""

    urls: float
    at: float

    def left(self, now: float, per_s: float) -> float:
        return max(self.urls - (now - self.at) * per_s, 0.0)


class Intake:
    """Accepts every URL at once and computes a pause of the source for it, so that no URL is dropped.

    One for each worker; the workers exchange their counts (`dues.py`).
    """

    def __init__(self) -> None:
        self._debts: dict[int, Debt] = {}
        self._untold: Counter[int] = Counter()

    def pause_s(self, source_id: int, urls: int, now: float, per_s: float) -> float:
        """How long a source must pause after it added so many URLs; one page full of links is free."""
        before = self._debts.get(source_id)
        owed = urls + (before.left(now, per_s) if before else 0.0)
        if len(self._debts) >= MOST_REMEMBERED:
            self._debts = {key: debt for key, debt in self._debts.items() if debt.left(now, per_s) > 0}
            self._untold = Counter({key: more for key, more in self._untold.items() if key in self._debts})
        if owed:
            self._debts[source_id] = Debt(owed, now)
            self._untold[source_id] += urls
        return max(owed - BURST, 0.0) / per_s

    def worth_telling(self) -> dict[int, int]:
        """New URLs by source that are not reported to the other workers yet."""
        return {source_id: urls for source_id, urls in self._untold.items() if urls >= WORTH_TELLING}

    def hear(self, owed: Mapping[int, float], told: Mapping[int, int], now: float) -> None:
        """Take over the excess URLs of all workers together, including the reported ones."""
        self._untold.subtract(told)
        for source_id, urls in owed.items():
            self._debts[source_id] = Debt(urls + self._untold[source_id], now)
