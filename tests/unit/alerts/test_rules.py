"""When each rule finds a condition, and when it does not."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from outrider.alerts.figures import Figures, Point, SiteDeadLinks
from outrider.alerts.model import AlertKind
from outrider.alerts.options import AlertOptions
from outrider.alerts.rules import conditions_of, holds
from outrider.backup.policy import RETRY, BackupHistory
from outrider.sources.failing_feeds import FailingSource

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
OPTIONS = AlertOptions()


def series(*values: float, until: datetime = NOON) -> list[Point]:
    """One value a minute, the last at `until`."""
    return [Point(until - timedelta(minutes=len(values) - 1 - i), value) for i, value in enumerate(values)]


def answers(good: float, bad: float, *, minutes: int = 5, until: datetime = NOON, status: str = "5xx"):
    """Counts that grew evenly to these numbers."""

    def grown(number: float) -> list[Point]:
        return series(*(number * minute / minutes for minute in range(minutes + 1)), until=until)

    return {"2xx": grown(good), status: grown(bad)}


def failing(errors: int, number: int = 1) -> FailingSource:
    return FailingSource(UUID(int=number), f"source {number}", 1, errors)


def history(good: float | None = None, failed: float | None = None) -> BackupHistory:
    """An old installation whose newest good backup, or last failure, was so many hours ago."""

    def before(hours: float | None) -> datetime | None:
        return None if hours is None else NOON - timedelta(hours=hours)

    return BackupHistory(NOON - timedelta(days=300), good_at=before(good), failed_at=before(failed))


def daily(backups: BackupHistory) -> Figures:
    return Figures(backups=backups, is_backed_up_daily=True)


def kinds_of(figures: Figures, options: AlertOptions = OPTIONS) -> list[AlertKind]:
    return [each.kind for each in conditions_of(figures, options, NOON)]


@pytest.mark.parametrize(
    ("figures", "found"),
    [
        pytest.param(Figures(), None, id="nothing is known"),
        pytest.param(Figures(due_hosts=1), AlertKind.NO_WORKERS, id="work waits and no worker lives"),
        pytest.param(Figures(due_hosts=1, live_workers=1), None, id="a worker lives"),
        pytest.param(Figures(live_workers=0), None, id="no worker is needed"),
        pytest.param(Figures(answers=answers(79, 21)), AlertKind.HTTP_ERRORS, id="21 % are 5xx"),
        pytest.param(
            Figures(answers=answers(79, 21, status="4xx")), AlertKind.HTTP_ERRORS, id="21 % are 4xx"
        ),
        pytest.param(Figures(answers=answers(80, 20)), None, id="20 % is not over 20 %"),
        pytest.param(Figures(answers=answers(0, 90)), None, id="too few answers"),
        pytest.param(Figures(answers=answers(500, 500, status="3xx")), None, id="redirects are no errors"),
        pytest.param(Figures(answers=answers(0, 900, minutes=4)), None, id="only four minutes are known"),
        pytest.param(
            Figures(answers=answers(0, 900, until=NOON - timedelta(minutes=4))), None, id="samples are old"
        ),
        pytest.param(
            Figures(queued=series(100_000, 111_000, 123_000, 136_000, 150_000, 166_000)),
            AlertKind.FRONTIER_GROWTH,
            id="over 10 % in each of five minutes",
        ),
        pytest.param(
            Figures(queued=series(100_000, 111_000, 123_000, 124_000, 150_000, 166_000)),
            None,
            id="one minute was quiet",
        ),
        pytest.param(
            Figures(queued=series(10, 110, 12_300, 136_000, 1_500_000, 16_600_000)), None, id="a new crawl"
        ),
        pytest.param(
            Figures(queued=series(111_000, 123_000, 136_000, 150_000, 166_000)), None, id="four minutes"
        ),
        pytest.param(
            Figures(queued=series(*(int(1e5 * 1.11**n) for n in range(6)), until=NOON - timedelta(hours=1))),
            None,
            id="growth of an hour ago",
        ),
        pytest.param(
            Figures(queued=[Point(NOON - timedelta(minutes=2 * (5 - n)), 1e5 * 1.11**n) for n in range(6)]),
            None,
            id="minutes are missing between the samples",
        ),
        pytest.param(Figures(failing_sources=[failing(10)]), AlertKind.FEED_ERRORS, id="10 errors in a row"),
        pytest.param(Figures(failing_sources=[failing(9)]), None, id="9 errors in a row"),
        pytest.param(
            Figures(runs_completed=7, runs_failed=3), AlertKind.JOB_FAILURES, id="70 % of runs succeeded"
        ),
        pytest.param(Figures(runs_completed=8, runs_failed=2), None, id="80 % of runs succeeded"),
        pytest.param(Figures(runs_completed=0, runs_failed=9), None, id="too few runs"),
        pytest.param(Figures(stale_locks=3), AlertKind.STALE_LOCKS, id="three stale locks in an hour"),
        pytest.param(Figures(stale_locks=2), None, id="two stale locks in an hour"),
        pytest.param(
            Figures(planned_runs=100, distribution_score=0.69), AlertKind.UNEVEN_SCHEDULE, id="uneven"
        ),
        pytest.param(Figures(planned_runs=100, distribution_score=0.7), None, id="even enough"),
        pytest.param(Figures(planned_runs=99, distribution_score=0.1), None, id="too few runs are planned"),
        pytest.param(
            Figures(sites=[SiteDeadLinks(1, "shop", 12, 2)]), AlertKind.DEAD_LINKS, id="ten more dead links"
        ),
        pytest.param(Figures(sites=[SiteDeadLinks(1, "shop", 500, 491)]), None, id="nine more dead links"),
        pytest.param(Figures(backups=history(failed=1)), AlertKind.BACKUP, id="the last backup failed"),
        pytest.param(daily(history(good=49)), AlertKind.BACKUP, id="two daily backups are missing"),
        pytest.param(daily(history(good=47)), None, id="one daily backup is late"),
        pytest.param(daily(history()), AlertKind.BACKUP, id="there was never a daily backup"),
        pytest.param(Figures(backups=history(good=400)), None, id="nobody asked for daily backups"),
    ],
)  # fmt: skip
def test_each_rule_finds_what_it_is_for_and_no_more(figures, found):
    assert kinds_of(figures) == ([] if found is None else [found])


def test_every_kind_has_a_case_above():
    [cases] = [
        mark.args[1]
        for mark in test_each_rule_finds_what_it_is_for_and_no_more.pytestmark
        if mark.name == "parametrize"
    ]

    assert {case.values[1] for case in cases} == {*AlertKind, None}


def test_the_worst_subject_comes_first():
    figures = Figures(
        failing_sources=[failing(40, 1), failing(12, 2)],
        sites=[SiteDeadLinks(1, "a", 20, 5), SiteDeadLinks(2, "b", 90, 5), SiteDeadLinks(3, "c", 20, 5)],
    )
    names = [each.subject.name for each in conditions_of(figures, OPTIONS, NOON)]

    assert names == ["source 1", "source 2", "b", "a", "c"]


def test_bounds_are_options():
    figures = Figures(failing_sources=[failing(9)], stale_locks=1, answers=answers(5, 5, minutes=1))
    narrow = replace(OPTIONS, feed_errors=9, stale_locks=1, error_window_s=60.0, least_answers=10)

    assert kinds_of(figures, narrow) == [
        AlertKind.HTTP_ERRORS,
        AlertKind.FEED_ERRORS,
        AlertKind.STALE_LOCKS,
    ]


def test_workers_may_be_away_for_two_minutes():
    assert holds(OPTIONS)[AlertKind.NO_WORKERS] == 120
    assert AlertKind.HTTP_ERRORS not in holds(OPTIONS), "its figures cover five minutes already"


def test_a_failed_backup_may_be_tried_again_before_it_is_told():
    assert holds(OPTIONS)[AlertKind.BACKUP] > RETRY.total_seconds()


def test_the_numbers_say_how_bad_it_is():
    [found] = conditions_of(Figures(answers=answers(300, 100)), OPTIONS, NOON)

    assert (found.numbers["share"], found.numbers["answers"]) == (0.25, 400)
    assert found.key == "http_errors"
