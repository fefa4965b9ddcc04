"""Settings of jobs and of the scheduler."""

from dataclasses import dataclass, field

from outrider.jobs.locks import STALE_AFTER
from outrider.jobs.timeouts import EXECUTION_TIMEOUT
from outrider.options import setting


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How jobs are scheduled."""

    enabled: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_SCHEDULER",
            "Run due jobs while watching; false: only `outrider scheduler` runs them.",
            alias=("CRAWLER_SCHEDULER_ENABLED",),
        ),
    )
    most_runs: int = field(
        default=20,
        metadata=setting(
            "OUTRIDER_SCHEDULER_RUNS", "Runs that one scheduler watches at once.", least=1, most=10_000
        ),
    )
    poll_s: float = field(
        default=10.0,
        metadata=setting(
            "OUTRIDER_SCHEDULER_POLL", "Seconds between two looks for due jobs.", least=0.1, most=3600
        ),
    )
    timeout_s: float = field(
        default=EXECUTION_TIMEOUT.total_seconds(),
        metadata=setting(
            "OUTRIDER_JOB_TIMEOUT",
            "Seconds that a run of a job may take; then it is cancelled and tried again.",
            least=1,
            most=2_592_000,
        ),
    )
    stale_after_s: float = field(
        default=STALE_AFTER.total_seconds(),
        metadata=setting(
            "OUTRIDER_SCHEDULER_STALE",
            "Seconds without a sign of life after which other schedulers take the runs over.",
            least=1,
            most=86_400,
        ),
    )
    balancing: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_LOAD_BALANCING", "Spread jobs over the day; false: a new job starts its rhythm now."
        ),
    )
