"""Child processes for the tests of a supervisor."""

import os
import signal
from pathlib import Path

from outrider.supervision.child import SupervisorLink


def fail(supervisor: SupervisorLink) -> None:
    """End before the work begins."""
    raise RuntimeError("no such table")


def crash(supervisor: SupervisorLink) -> None:
    """End before the work begins, as if the system had no memory left."""
    os.kill(os.getpid(), signal.SIGKILL)


def work(supervisor: SupervisorLink) -> None:
    """Begin to work, and go on until the supervisor is gone or a signal comes."""
    supervisor.report_ready()
    while not supervisor.is_gone:
        signal.sigtimedwait([signal.SIGUSR2], 0.05)


def first_works(folder: str, supervisor: SupervisorLink) -> None:
    """The first of several processes works; all others fail at their start."""
    try:
        Path(folder, "taken").mkdir()
    except FileExistsError:
        raise RuntimeError("there can be only one") from None
    work(supervisor)
