"""How fast a watched source may bring new URLs: who brings many is asked again later. Pure."""

from dataclasses import dataclass

BURST = 1_000  # links that one page may bring (SPI-06)
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

    One for each worker. A source's pages lie on few hosts, and a host is in one worker's hands at a time.
    """

    def __init__(self) -> None:
        self._debts: dict[int, Debt] = {}

    def pause_s(self, source_id: int, urls: int, now: float, per_s: float) -> float:
        """How long to leave a source alone that just brought so many; a page full of links is free."""
        before = self._debts.get(source_id)
        owed = urls + (before.left(now, per_s) if before else 0.0)
        if len(self._debts) >= MOST_REMEMBERED:
            self._debts = {key: debt for key, debt in self._debts.items() if debt.left(now, per_s) > 0}
        if owed:
            self._debts[source_id] = Debt(owed, now)
        return max(owed - BURST, 0.0) / per_s
