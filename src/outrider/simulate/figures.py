"""Summary statistics. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True)
class ValueSpread:
    """The count, mean, median and 95th percentile of values."""

    count: int = 0
    mean: float = 0.0
    median: float = 0.0
    p95: float = 0.0

    @classmethod
    def of(cls, values: Collection[float]) -> "ValueSpread":
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
    """The share from 0 to 1, rounded to four places; 0 when `whole` is 0."""
    return round(part / whole, 4) if whole else 0.0


def _rank(ordered: list[float], quantile: float) -> float:
    return ordered[max(ceil(quantile * len(ordered)) - 1, 0)]
