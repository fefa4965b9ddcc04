"""What an operator should look at: the thresholds of schedulers (SCH-16). Pure."""

from outrider.jobs.distribution import GOOD_SCORE
from outrider.jobs.job_stats import LOW_SUCCESS_RATE

MANY_STALE_LOCKS = 3  # taken over within a day


def warning_signs(success_rate: float | None, stale_locks: int, score: float) -> list[str]:
    """A sentence for each figure that is beyond its threshold."""
    found = []
    if success_rate is not None and success_rate < LOW_SUCCESS_RATE:
        found.append(
            f"{success_rate:.0%} of the runs of the last day succeeded, less than {LOW_SUCCESS_RATE:.0%}: "
            "`outrider job list --status failed,scheduled` shows the errors"
        )
    if stale_locks >= MANY_STALE_LOCKS:
        found.append(
            f"{stale_locks:,} runs were taken over from schedulers that stopped or died: "
            "look for restarts and crashes"
        )
    if score < GOOD_SCORE:
        found.append(
            f"the distribution score is {score:.2f}, less than {GOOD_SCORE}: "
            "`outrider scheduler rebalance --dry-run` shows what would be moved"
        )
    return found
