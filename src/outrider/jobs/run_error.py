"""Why a run of a job failed (JOB-23)."""

import traceback
from dataclasses import dataclass

LONGEST_MESSAGE = 500
LONGEST_STACK_TRACE = 20_000


@dataclass(frozen=True, slots=True)
class RunError:
    """One sentence, and the stack trace of an uncaught exception."""

    message: str
    stack_trace: str | None = None

    @classmethod
    def of(cls, error: Exception) -> "RunError":
        """An uncaught exception, short enough to be stored."""
        trace = "".join(traceback.format_exception(error))
        return cls(f"{type(error).__name__}: {error}", trace).bounded()

    def bounded(self) -> "RunError":
        """The message and the end of the stack trace, short enough to be stored."""
        trace = None if self.stack_trace is None else self.stack_trace[-LONGEST_STACK_TRACE:]
        return RunError(self.message[:LONGEST_MESSAGE], trace)
