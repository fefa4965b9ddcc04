"""When the progress of a run is an event."""

from dataclasses import dataclass, replace
from uuid import UUID

from outrider.jobs.progress import ProgressReports

JOB, EXECUTION = UUID(int=1), UUID(int=2)


@dataclass(frozen=True)
class Running:
    run_id: int | None = 1
    job_public_id: UUID = JOB
    execution_id: UUID | None = EXECUTION
    execution_number: int | None = 3
    waiting: int = 100
    settled: int = 0
    pages: int = 0
    dead: int = 0


RUN = Running()


def test_a_run_is_reported_when_it_is_first_seen():
    [event] = ProgressReports().due([RUN], 0.0)

    assert (event.kind, event.subject_id) == ("job.progress", str(UUID(int=1)))
    assert event.payload == {
        "job_id": str(UUID(int=1)),
        "run_id": 1,
        "execution_id": str(UUID(int=2)),
        "execution_number": 3,
        "items_done": 0,
        "items_waiting": 100,
        "pages": 0,
        "dead": 0,
    }


def test_ten_entries_more_are_worth_an_event_at_once():
    reports = ProgressReports()
    reports.due([RUN], 0.0)

    assert reports.due([replace(RUN, settled=9)], 0.1) == []
    assert len(reports.due([replace(RUN, settled=10)], 0.2)) == 1
    assert reports.due([replace(RUN, settled=19)], 0.3) == []


def test_a_smaller_change_is_worth_an_event_after_five_seconds():
    reports = ProgressReports()
    reports.due([RUN], 0.0)

    assert reports.due([replace(RUN, settled=1)], 4.9) == []
    assert len(reports.due([replace(RUN, settled=1)], 5.0)) == 1
    assert reports.due([replace(RUN, settled=1)], 60.0) == [], "nothing changed"


def test_a_run_that_ended_is_forgotten_and_one_without_a_row_is_left_out():
    reports = ProgressReports()
    reports.due([RUN], 0.0)
    reports.due([], 1.0)

    assert len(reports.due([RUN], 2.0)) == 1
    assert reports.due([Running(run_id=None)], 3.0) == []
