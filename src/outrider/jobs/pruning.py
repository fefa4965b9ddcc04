"""Which executions of a job are kept (JOB-17). Pure. `prune_runs` in runs.sql applies the same rule."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from outrider.runs.model import Run

KEEP_NEWEST = 100
KEEP_FOR = timedelta(days=30)


def to_prune(executions: Sequence[Run], now: datetime) -> list[Run]:
    """The executions of one job that are not among its 100 newest, or are older than 30 days (CON-17).

    The newest one is always kept, and so is one that is still running.
    """
    newest_first = sorted(executions, key=lambda each: each.execution_number, reverse=True)
    return [
        each
        for place, each in enumerate(newest_first)
        if place > 0
        and not each.is_open
        and (place >= KEEP_NEWEST or now - (each.completed_at or each.started_at) > KEEP_FOR)
    ]
