"""Jobs as the slot map sees them: one by one, or counted by the slots that they use."""

from datetime import datetime, timedelta
from typing import NamedTuple


class SlotEntry(NamedTuple):
    """A job in the schedule. `interval` is the one in force, adaptive or not; None: the job runs once."""

    job_id: int
    interval: timedelta | None
    next_run_at: datetime
    placed_at: datetime | None = None
    is_running: bool = False


class Rhythm(NamedTuple):
    """How many jobs have the same slots.

    `every_s` is the time between two of them, 0 for a job that runs once. A job that runs at least once a day
    runs first `first` seconds after the start of the current slot, any other job `first` slots after it.
    """

    every_s: int
    first: int
    jobs: int
