"""Half a day of jobs: the passes of the real scheduler on a database whose time is virtual."""

from collections import defaultdict
from itertools import pairwise

import pytest

from outrider.runs.model import RunStatus
from outrider.settings import Settings
from outrider.simulate.database import own_database
from outrider.simulate.job_figures import JobFindings, SimulatedRun
from outrider.simulate.plan import STEP_S, SimulationPlan, WatchPolicy
from outrider.simulate.report import Report, report_of
from outrider.simulate.run import SimulationRun, simulate
from outrider.simulate.sites import START

PLAN = SimulationPlan(hosts=15, days=0.5, seed=4, policy=WatchPolicy(poll_s=3600.0), has_jobs=True)


def course_of(plan: SimulationPlan) -> SimulationRun:
    with own_database(None) as dsn:
        return simulate(plan, Settings(), dsn)


@pytest.fixture(scope="module")
def course() -> SimulationRun:
    return course_of(PLAN)


@pytest.fixture(scope="module")
def report(course: SimulationRun) -> Report:
    return report_of(course, Settings())


def found(course: SimulationRun) -> JobFindings:
    assert course.jobs is not None
    return course.jobs


def runs_by_job(course: SimulationRun) -> dict[int, list[SimulatedRun]]:
    runs = defaultdict(list)
    for each in found(course).runs:
        runs[each.job_id].append(each)
    return runs


def test_every_source_has_a_job_that_ran_in_virtual_time(course: SimulationRun):
    runs = runs_by_job(course)

    assert set(runs) == set(found(course).intervals)
    assert len(runs) == PLAN.hosts
    for of_job in runs.values():
        after_s = [(each.started_at - START).total_seconds() for each in of_job]
        assert 0 <= after_s[0] <= 600 + STEP_S  # the longest wait of a new job, and a step
        assert after_s[-1] <= PLAN.lasts_s + STEP_S


def test_a_job_never_has_two_runs_at_once(course: SimulationRun):
    for of_job in runs_by_job(course).values():
        for first, second in pairwise(of_job):
            assert first.ended_at is not None
            assert first.ended_at <= second.started_at


def test_runs_end_when_nothing_of_them_waits(course: SimulationRun):
    ended = [each for each in found(course).runs if each.status is RunStatus.COMPLETED]

    assert len(ended) > 2 * PLAN.hosts
    assert all(each.ended_at is not None and each.ended_at > each.started_at for each in ended)


def test_sources_that_do_not_change_are_visited_less_often(report: Report):
    assert report.jobs is not None
    assert report.jobs.stretched > PLAN.hosts // 2
    assert report.jobs.runs < report.jobs.runs_at_fixed_intervals


def test_a_rebalance_does_to_the_database_what_its_plan_says(course: SimulationRun):
    jobs = found(course)

    assert jobs.rebalance.total_moves > 0
    assert jobs.rebalance.before_score == jobs.before.distribution_score
    assert jobs.rebalance.after_score == jobs.after.distribution_score
    assert jobs.after.distribution_score > jobs.before.distribution_score


def test_jobs_ask_no_site_too_early(report: Report):
    assert report.politeness.violations == 0


def test_the_same_seed_gives_the_same_report(report: Report):
    again = report_of(course_of(PLAN), Settings())

    assert again == report
