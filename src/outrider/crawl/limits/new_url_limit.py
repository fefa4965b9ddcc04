"""How fast a watched source may add new URLs: excess URLs delay their source. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

BURST = 1_000  # links that one page may add without a pause (SPI-06)
LEAST_REPORTED = 100  # a worker reports no smaller number: most sources never add more
MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class UrlDebt:
    """URLs in excess of the rate at one moment."""

    urls: float
    at: float

    def left(self, now: float, per_s: float) -> float:
        return max(self.urls - (now - self.at) * per_s, 0.0)


class NewUrlLimit:
    """Accepts every URL at once and computes a pause of the source for it, so that no URL is dropped.

    One for each worker; the workers exchange their counts (`shared_url_debts.py`).
    """

    def __init__(self) -> None:
        self._debts: dict[int, UrlDebt] = {}
        self._unreported: Counter[int] = Counter()

    def pause_s(self, source_id: int, urls: int, now: float, per_s: float) -> float:
        """How long a source must pause after it added so many URLs; one page full of links is free."""
        before = self._debts.get(source_id)
        owed = urls + (before.left(now, per_s) if before else 0.0)
        if len(self._debts) >= MOST_REMEMBERED:
            self._debts = {key: debt for key, debt in self._debts.items() if debt.left(now, per_s) > 0}
            self._unreported = Counter(
                {key: more for key, more in self._unreported.items() if key in self._debts}
            )
        if owed:
            self._debts[source_id] = UrlDebt(owed, now)
            self._unreported[source_id] += urls
        return max(owed - BURST, 0.0) / per_s

    def unreported(self) -> dict[int, int]:
        """New URLs by source that are not reported to the other workers yet."""
        return {source_id: urls for source_id, urls in self._unreported.items() if urls >= LEAST_REPORTED}

    def take_over(self, owed: Mapping[int, float], reported: Mapping[int, int], now: float) -> None:
        """Take over the excess URLs of all workers together, including the reported ones."""
        self._unreported.subtract(reported)
        for source_id, urls in owed.items():
            self._debts[source_id] = UrlDebt(urls + self._unreported[source_id], now)
