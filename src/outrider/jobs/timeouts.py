"""How long a run may take (JOB-19). Pure."""

from datetime import timedelta

from outrider.jobs.run_error import RunError

EXECUTION_TIMEOUT = timedelta(hours=1)


def timeout_error(running_s: float, timeout_s: float) -> RunError | None:
    """The error of a run that takes longer than the timeout; None if it may go on.

    The scheduler cancels the run and ends it as `RunResult.TIMED_OUT`, so that the job is tried again.
    """
    if running_s <= timeout_s:
        return None
    return RunError(f"the run took longer than {_length(timeout_s)} and was cancelled")


def _length(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 60 else f"{seconds:g} seconds"
