"""How often jobs run and when next: tables of what the rules say, and what holds for any source."""

from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON, watched

from outrider.errors import InvalidInput
from outrider.jobs.model import Interval, Unit
from outrider.jobs.rhythm import next_run_after
from outrider.jobs.schedule import (
    LONGEST_BACKOFF,
    Urgency,
    backoff,
    interval_minutes,
    plan_for,
    read_interval,
    retry_delay,
    stagger,
)
from outrider.sources.policy import Policy

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
intervals = st.integers(1, 405).map(Interval.minutes)


@pytest.mark.parametrize(
    ("priority", "urgency"),
    [
        (1, Urgency.LOW),
        (3, Urgency.LOW),
        (4, Urgency.NORMAL),
        (5, Urgency.NORMAL),
        (6, Urgency.NORMAL),
        (7, Urgency.HIGH),
        (8, Urgency.HIGH),
        (9, Urgency.CRITICAL),
        (10, Urgency.CRITICAL),
    ],
)
def test_what_the_priority_of_a_source_means(priority, urgency):
    assert Urgency.of(priority) is urgency


@pytest.mark.parametrize(
    ("urgency", "minutes", "job_priority", "first_after"),
    [
        (Urgency.CRITICAL, 15, 100, 0 * MINUTE),
        (Urgency.HIGH, 30, 75, 1 * MINUTE),
        (Urgency.NORMAL, 60, 50, 5 * MINUTE),
        (Urgency.LOW, 180, 25, 10 * MINUTE),
    ],
)
def test_urgency_sets_the_base_the_priority_and_the_first_delay(urgency, minutes, job_priority, first_after):
    # Eight requests a minute and two levels change nothing.
    plan = plan_for(watched(priority=urgency.value, policy=Policy(delay_s=7.5, max_depth=2)))

    assert (plan.every.length, plan.priority, plan.first_after) == (
        minutes * MINUTE,
        job_priority,
        first_after,
    )


@pytest.mark.parametrize(
    ("per_minute", "minutes"),
    [(1, 90), (5, 90), (5.1, 60), (10, 60), (10.1, 45), (20, 45), (20.1, 30), (600, 30)],
)
def test_a_site_that_may_be_asked_seldom_is_asked_seldom(per_minute, minutes):
    assert interval_minutes(Urgency.NORMAL, per_minute, depth=1) == minutes


@pytest.mark.parametrize(
    ("depth", "minutes"), [(0, 60), (2, 60), (3, 75), (5, 75), (6, 90), (100, 90), (-1, 90)]
)
def test_a_deep_walk_is_made_less_often(depth, minutes):
    assert interval_minutes(Urgency.NORMAL, 8, depth) == minutes


@pytest.mark.parametrize(
    ("policy", "every"),
    [
        pytest.param({}, "38 minutes", id="one request a second and three levels, where nothing is said"),
        pytest.param({"max_depth": 0}, "38 minutes", id="0 is the default depth"),
        pytest.param({"delay_s": 0.0, "max_depth": 1}, "30 minutes", id="no delay is as fast as it goes"),
        pytest.param({"delay_s": 86_400.0, "max_depth": -1}, "135 minutes", id="slow and endless"),
        pytest.param({"delay_s": 6.0, "max_depth": 2}, "1 hour", id="hours where they come out even"),
    ],
)
def test_a_source_plans_by_what_it_asks_for(policy, every):
    assert str(plan_for(watched(policy=Policy(**policy))).every) == every


@pytest.mark.parametrize(
    ("unit", "length"), [(Unit.MINUTES, MINUTE), (Unit.HOURS, HOUR), (Unit.DAYS, 24 * HOUR)]
)
def test_a_unit_is_as_long_as_its_name_says(unit, length):
    """JOB-07."""
    assert Interval(3, unit).length == 3 * length


@given(st.integers(1, 525_600))
def test_number_and_unit_of_an_interval_always_mean_the_same_time(minutes):
    """SRC-12."""
    every = Interval.minutes(minutes)

    assert every.length == minutes * MINUTE
    assert every.unit is Unit.MINUTES or every.count * 60 <= minutes


@pytest.mark.parametrize(
    ("late", "expected"),
    [
        pytest.param(0 * MINUTE, NOON + HOUR, id="on time"),
        pytest.param(7 * MINUTE, NOON + HOUR, id="a little late: the rhythm stays"),
        pytest.param(HOUR, NOON + 2 * HOUR, id="late by exactly one"),
        pytest.param(30 * HOUR + MINUTE, NOON + 31 * HOUR, id="asleep for a day: once, not thirty times"),
        pytest.param(-MINUTE, NOON + HOUR, id="the clock was set back"),
    ],
)
def test_the_next_run_keeps_the_rhythm(late, expected):
    assert next_run_after(NOON, HOUR, started_at=NOON, now=NOON + late) == expected


@given(intervals, st.integers(0, 10**7))
def test_the_next_run_is_ahead_and_within_one_interval(every, late_s):
    now = NOON + timedelta(seconds=late_s)

    assert timedelta() < next_run_after(NOON, every.length, NOON, now) - now <= every.length


@pytest.mark.parametrize(
    ("failures", "wait"),
    [(0, 1 * HOUR), (1, 2 * HOUR), (2, 4 * HOUR), (4, 16 * HOUR), (5, 24 * HOUR), (10**6, 24 * HOUR)],
)
def test_failures_double_the_wait_up_to_a_day(failures, wait):
    assert backoff(Interval(1, Unit.HOURS), failures) == wait


def test_a_failing_job_never_runs_more_often_than_a_sound_one():
    weekly = Interval(7, Unit.DAYS)

    assert backoff(weekly, 3) == weekly.length > LONGEST_BACKOFF


@given(st.uuids(), intervals)
def test_where_a_job_begins_is_a_step_of_five_minutes_within_its_interval(source_id, every):
    begins = stagger(source_id, every)

    assert begins == stagger(source_id, every)
    assert begins % (5 * MINUTE) == timedelta()
    assert timedelta() <= begins < max(every.length, MINUTE)


def test_sources_begin_at_different_times():
    begins = {stagger(UUID(int=number), Interval(1, Unit.HOURS)) for number in range(200)}

    assert begins == {5 * MINUTE * step for step in range(12)}


def test_each_retry_waits_twice_as_long_up_to_an_hour():
    """SCH-08, CON-39."""
    waits = [retry_delay(60, attempt).total_seconds() for attempt in range(1, 9)]

    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert retry_delay(60, 10**6) == HOUR


@pytest.mark.parametrize(
    ("count", "is_enabled", "sentence"),
    [
        (0, True, "the interval is 0 hours: it must be at least 1"),
        (-6, True, "the interval is -6 hours: it must be at least 1"),
        (9000, True, "the interval is longer than 366 days"),
        (None, True, "a job with a schedule needs an interval, such as 6 hours"),
        (6, False, "a job that runs once has no interval: leave it out, or enable the schedule"),
    ],
)
def test_an_interval_that_makes_no_sense_is_refused(count, is_enabled, sentence):
    """JOB-06."""
    with pytest.raises(InvalidInput) as refused:
        read_interval(count, Unit.HOURS, schedule_enabled=is_enabled)

    assert str(refused.value) == sentence


def test_an_interval_or_none_of_it_is_read():
    assert read_interval(6, Unit.HOURS, schedule_enabled=True) == Interval(6, Unit.HOURS)
    assert read_interval(366, Unit.DAYS, schedule_enabled=True) == Interval(366, Unit.DAYS)
    assert read_interval(None, Unit.MINUTES, schedule_enabled=False) is None
