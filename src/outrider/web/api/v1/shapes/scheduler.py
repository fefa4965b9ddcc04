"""The JSON of the scheduler."""

from typing import NotRequired

from typing_extensions import TypedDict


class DistributionShape(TypedDict):
    """The runs of the next 24 hours. `hourly_counts[h]` are those in hour `h` of the day, UTC."""

    load_balancing: bool
    hourly_counts: list[int]
    total_jobs: int
    average_per_hour: float
    max_per_hour: int
    min_per_hour: int
    peak_hour: int
    peak_count: int
    slot_minutes: int
    distribution_score: float
    message: NotRequired[str]
