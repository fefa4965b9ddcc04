"""How fast a watched source may bring new URLs: who brings many is asked again later. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

BURST = 1_000  # links that one page may bring (SPI-06)
WORTH_TELLING = 100  # fewer are kept to ourselves for now: most sources never come to more
MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Debt:
    """URLs taken ahead of the rate, as of a moment."""

    urls: float
    at: float

    def left(self, now: float, per_s: float) -> float:
        return max(self.urls - (now - self.at) * per_s, 0.0)


class Intake:
    """Every URL is taken at once, and a pause asked for that makes up for it: nothing is dropped or piles up.

    One for each worker, which tells the others what it took and hears what they did (`dues.py`).
    """

    def __init__(self) -> None:
        self._debts: dict[int, Debt] = {}
        self._untold: Counter[int] = Counter()

    def pause_s(self, source_id: int, urls: int, now: float, per_s: float) -> float:
        """How long to leave a source alone that just brought so many; a page full of links is free."""
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
        """URLs by source that no other worker knows of yet."""
        return {source_id: urls for source_id, urls in self._untold.items() if urls >= WORTH_TELLING}

    def hear(self, owed: Mapping[int, float], told: Mapping[int, int], now: float) -> None:
        """All workers together owe this much, what was told included."""
        self._untold.subtract(told)
        for source_id, urls in owed.items():
            self._debts[source_id] = Debt(urls + self._untold[source_id], now)
