"""Numbers about many values. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True)
class Spread:
    """How values lie: of so many, the mean, the middle one, and the one that 95 of 100 do not exceed."""

    count: int = 0
    mean: float = 0.0
    median: float = 0.0
    p95: float = 0.0

    @classmethod
    def of(cls, values: Collection[float]) -> "Spread":
        if not values:
            return cls()
        ordered = sorted(values)
        return cls(
            len(ordered),
            round(sum(ordered) / len(ordered), 1),
            round(_rank(ordered, 0.5), 1),
            round(_rank(ordered, 0.95), 1),
        )


def share(part: int, whole: int) -> float:
    """From 0 to 1, to four places; of nothing, 0."""
    return round(part / whole, 4) if whole else 0.0


def _rank(ordered: list[float], quantile: float) -> float:
    return ordered[max(ceil(quantile * len(ordered)) - 1, 0)]
