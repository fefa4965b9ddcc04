"""When the progress of a run is worth an event (SSE-04). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from outrider.events.catalogue import EventKind
from outrider.events.record import NewEvent

EVERY_ITEMS = 10
EVERY_S = 5.0


class RunningRun(Protocol):
    """The open run of a job, with its counters."""

    @property
    def run_id(self) -> int | None: ...
    @property
    def job_public_id(self) -> UUID: ...
    @property
    def execution_id(self) -> UUID | None: ...
    @property
    def execution_number(self) -> int | None: ...
    @property
    def waiting(self) -> int: ...
    @property
    def settled(self) -> int: ...
    @property
    def pages(self) -> int: ...
    @property
    def dead(self) -> int: ...


@dataclass(frozen=True, slots=True)
class _Report:
    settled: int
    figures: tuple[int, ...]
    at: float


class ProgressReports:
    """Remembers the last report of each run. A run is reported again after ten entries, or after five
    seconds in which something changed."""

    def __init__(self) -> None:
        self._last: dict[int, _Report] = {}

    def due(self, runs: Sequence[RunningRun], now: float) -> list[NewEvent]:
        """The events to write now; runs that are not among `runs` are forgotten."""
        last, self._last = self._last, {}
        events = []
        for run in runs:
            if run.run_id is None:
                continue
            before = last.get(run.run_id)
            report = _Report(run.settled, (run.settled, run.waiting, run.pages, run.dead), now)
            if before is None or _is_due(before, report):
                events.append(NewEvent(EventKind.JOB_PROGRESS, str(run.job_public_id), _payload(run)))
                self._last[run.run_id] = report
            else:
                self._last[run.run_id] = before
        return events


def _is_due(before: _Report, report: _Report) -> bool:
    if report.settled - before.settled >= EVERY_ITEMS:
        return True
    return report.figures != before.figures and report.at - before.at >= EVERY_S


def _payload(run: RunningRun) -> dict[str, Any]:
    return {
        "job_id": str(run.job_public_id),
        "run_id": run.run_id,
        "execution_id": str(run.execution_id),
        "execution_number": run.execution_number,
        "items_done": run.settled,
        "items_waiting": run.waiting,
        "pages": run.pages,
        "dead": run.dead,
    }
