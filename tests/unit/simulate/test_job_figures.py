"""The figures of the jobs of a simulation."""

from datetime import timedelta

import pytest

from outrider.jobs.distribution import distribution
from outrider.jobs.rebalance import Fixed, NotMoved, RebalancePlan
from outrider.jobs.slot_entries import SlotEntry
from outrider.runs.model import RunStatus
from outrider.simulate.job_figures import JobFindings, SimulatedRun, job_figures, skipped_slots
from outrider.simulate.sites import START

HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)


def run(job_id: int = 1, took: timedelta | None = HOUR / 2, **values: object) -> SimulatedRun:
    ended_at = None if took is None else START + took
    status = RunStatus.RUNNING if took is None else RunStatus.COMPLETED
    return SimulatedRun(job_id, values.get("status", status), bool(values.get("is_retry")), START, ended_at)


def findings(**values: object) -> JobFindings:
    even = distribution([SlotEntry(number, DAY, START + number * HOUR) for number in range(24)], START)
    uneven = distribution([SlotEntry(number, DAY, START) for number in range(24)], START)
    found = {
        "intervals": {1: HOUR, 2: HOUR, 3: HOUR / 2},
        "adaptive": {},
        "runs": [],
        "ended_at": START + DAY,
        "before": uneven,
        "after": even,
        "rebalance": RebalancePlan((), (), 0.0, 1.0),
    }
    return JobFindings(**found | values)


@pytest.mark.parametrize(
    ("took", "skipped"),
    [
        pytest.param(HOUR / 2, 0, id="shorter than the interval"),
        pytest.param(HOUR, 1, id="as long as the interval"),
        pytest.param(2.5 * HOUR, 2, id="two and a half intervals"),
        pytest.param(None, 24, id="it goes on until the end"),
    ],
)
def test_a_slot_is_skipped_if_it_passes_while_the_run_before_goes_on(took: timedelta | None, skipped: int):
    assert skipped_slots(run(took=took), HOUR, START + DAY) == skipped


def test_skipped_slots_are_counted_by_the_interval_of_their_own_job():
    figures = job_figures(findings(runs=[run(1, took=HOUR), run(3, took=HOUR)]), DAY)

    assert figures.skipped_slots == 1 + 2


def test_runs_are_counted_by_how_they_ended():
    runs = [run(), run(2, took=None), run(3, status=RunStatus.FAILED), run(3, is_retry=True)]
    figures = job_figures(findings(runs=runs), DAY)

    assert (figures.jobs, figures.runs, figures.retries) == (3, 4, 1)
    assert figures.by_status == {"running": 1, "completed": 2, "failed": 1, "cancelled": 0}


def test_it_says_how_many_runs_fixed_intervals_would_have_brought():
    assert job_figures(findings(), DAY).runs_at_fixed_intervals == 24 + 24 + 48


def test_jobs_are_grouped_by_the_interval_in_force():
    """An adaptive interval that is not longer than that of the job does not count as stretched."""
    figures = job_figures(findings(adaptive={1: 8 * HOUR, 2: HOUR}), DAY)

    assert figures.stretched == 1
    assert figures.intervals == {"up to 30 minutes": 1, "up to 1 hour": 1, "up to 12 hours": 1}


def test_an_interval_of_more_than_a_day_has_a_group():
    assert job_figures(findings(intervals={1: 2 * DAY}), DAY).intervals == {"longer": 1}


def test_the_distribution_is_told_before_and_after_the_rebalance():
    skipped = (NotMoved(1, Fixed.JOB_RUNNING), NotMoved(2, Fixed.JOB_RUNNING))
    figures = job_figures(findings(rebalance=RebalancePlan((), skipped, 0.0, 1.0)), DAY)

    assert (figures.score_before, figures.score_after) == (0.0, 1.0)
    assert figures.not_moved == {"job_running": 2}
