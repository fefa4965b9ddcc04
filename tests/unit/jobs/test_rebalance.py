"""A rebalance: which jobs it may move, where it puts them, and what holds for every schedule."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON

from outrider.jobs.distribution import distribution
from outrider.jobs.rebalance import Fixed, NotMoved, SlotMove, apply_moves, plan_rebalance, why_fixed
from outrider.jobs.slot_entries import SlotEntry
from outrider.jobs.slot_times import SLOT, slot_of, start_of
from outrider.jobs.slots import SlotMap

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOW = NOON + 7 * MINUTE

schedules = st.lists(
    st.builds(
        SlotEntry,
        job_id=st.just(0),
        interval=st.none()
        | st.sampled_from([5, 15, 30, 38, 60, 77, 360, 1440, 2880, 10_080]).map(
            lambda number: number * MINUTE
        ),
        next_run_at=st.integers(-60, 3000).map(lambda number: NOW + number * MINUTE),
        placed_at=st.none() | st.integers(0, 120).map(lambda number: NOW - number * MINUTE),
        is_running=st.booleans(),
    ),
    max_size=60,
).map(lambda found: [_numbered(each, number) for number, each in enumerate(found)])

# Few intervals and times: many jobs share their slots.
crowded = st.lists(
    st.tuples(st.sampled_from([38, 77, 360, 1440]), st.sampled_from([120, 127, 180, 300, 313, 600])),
    max_size=40,
).map(
    lambda found: [
        SlotEntry(number, every * MINUTE, NOON + ahead * MINUTE)
        for number, (every, ahead) in enumerate(found)
    ]
)


def _numbered(each: SlotEntry, number: int) -> SlotEntry:
    return SlotEntry(number, each.interval, each.next_run_at, each.placed_at, each.is_running)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({}, None, id="free"),
        pytest.param({"is_running": True}, Fixed.JOB_RUNNING, id="running"),
        pytest.param({"next_run_at": NOW + 30 * MINUTE}, Fixed.PROTECTION_WINDOW, id="soon"),
        pytest.param({"next_run_at": NOW - MINUTE}, Fixed.PROTECTION_WINDOW, id="late"),
        pytest.param({"next_run_at": NOW + 30.1 * MINUTE}, None, id="not so soon"),
        pytest.param({"placed_at": NOW - HOUR}, Fixed.PLACEMENT_COOLDOWN, id="just placed"),
        pytest.param({"placed_at": NOW - 61 * MINUTE}, None, id="placed a while ago"),
        pytest.param({"interval": None}, Fixed.ONE_TIME_JOB, id="once"),
    ],
)
def test_why_a_job_cannot_be_moved(changes, reason):
    """BAL-06."""
    values = {"job_id": 1, "interval": DAY, "next_run_at": NOW + 5 * HOUR}

    assert why_fixed(SlotEntry(**values | changes), NOW) is reason


def test_the_reasons_are_the_words_of_the_requirement():
    assert {"job_running", "protection_window", "placement_cooldown"} <= {each.value for each in Fixed}


def test_a_crowded_slot_is_spread_over_the_day():
    """BAL-07, BAL-11."""
    at = NOON + 3 * HOUR
    crowded = [SlotEntry(number, DAY, at) for number in range(96)]
    plan = plan_rebalance(crowded, NOW)
    after = apply_moves(crowded, plan, NOW)

    assert len({slot_of(each.next_run_at) for each in after}) == 96
    assert plan.moves[0] == SlotMove(0, at, NOON + SLOT, "less_loaded_slot")
    assert (plan.moves[0].from_slot, plan.moves[0].to_slot) == (slot_of(at), slot_of(NOON) + 1)
    assert (plan.total_moves, plan.before_score, plan.after_score, plan.improvement) == (95, 0.0, 1.0, 1.0)


def test_the_longest_intervals_are_placed_first():
    """BAL-07."""
    at = NOON + 3 * HOUR
    jobs = [
        SlotEntry(1, 6 * HOUR, at),
        SlotEntry(2, DAY, at),
        SlotEntry(3, 12 * HOUR, at),
        SlotEntry(4, DAY, at),
    ]

    assert [each.job_id for each in plan_rebalance(jobs, NOW).moves] == [2, 4, 3]


def test_a_job_that_stays_says_nothing_about_other_slots():
    """BAL-07."""
    jobs = [SlotEntry(1, DAY, NOON + 3 * HOUR), *(SlotEntry(n, DAY, NOON + 5 * HOUR) for n in (2, 3))]

    assert [each.job_id for each in plan_rebalance(jobs, NOW).moves] == [2]


def test_jobs_within_one_hour_are_spread_even_though_the_score_does_not_show_it():
    hourly = [SlotEntry(number, HOUR, NOON + HOUR) for number in range(4)]
    plan = plan_rebalance(hourly, NOW)

    assert plan.before_score == plan.after_score == 1.0
    assert len({slot_of(each.next_run_at) % 4 for each in apply_moves(hourly, plan, NOW)}) == 4


def test_jobs_that_are_skipped_are_named_with_their_reason():
    """BAL-11."""
    jobs = [
        SlotEntry(1, DAY, NOW + 5 * HOUR, is_running=True),
        SlotEntry(2, DAY, NOW + 5 * MINUTE),
        SlotEntry(3, DAY, NOW + 5 * HOUR, placed_at=NOW),
    ]

    assert plan_rebalance(jobs, NOW).skipped == (
        NotMoved(1, Fixed.JOB_RUNNING),
        NotMoved(2, Fixed.PROTECTION_WINDOW),
        NotMoved(3, Fixed.PLACEMENT_COOLDOWN),
    )


def test_a_second_rebalance_right_after_the_first_moves_nothing_again():
    """BAL-08: the cooldown holds for what a rebalance itself moved."""
    crowded = [SlotEntry(number, DAY, NOON + 3 * HOUR) for number in range(200)]
    first = plan_rebalance(crowded, NOW)
    second = plan_rebalance(apply_moves(crowded, first, NOW), NOW)

    assert not {each.job_id for each in first.moves} & {each.job_id for each in second.moves}


@given(schedules)
def test_a_rebalance_never_lowers_the_score_and_predicts_it_exactly(jobs):
    """BAL-08."""
    plan = plan_rebalance(jobs, NOW)

    assert 0 <= plan.before_score <= plan.after_score + 1e-9 <= 1 + 1e-9
    assert plan.before_score == distribution(jobs, NOW).distribution_score
    after = distribution(apply_moves(jobs, plan, NOW), NOW).distribution_score
    assert after == pytest.approx(plan.after_score, abs=1e-9)


@given(schedules, st.randoms())
def test_the_same_schedule_gives_the_same_plan_in_any_order(jobs, dice):
    """BAL-08."""
    plan = plan_rebalance(jobs, NOW)
    dice.shuffle(shuffled := list(jobs))

    assert plan_rebalance(shuffled, NOW) == plan


@given(crowded)
def test_jobs_of_the_same_slots_are_judged_as_if_each_were_alone(jobs):
    """BAL-07."""
    plan = plan_rebalance(jobs, NOW)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SlotMap, "same_slots", lambda _, entry: entry.job_id)
        assert plan_rebalance(jobs, NOW) == plan


@given(schedules)
def test_protected_jobs_stay_and_moved_ones_get_the_start_of_a_slot_ahead(jobs):
    """BAL-06."""
    plan = plan_rebalance(jobs, NOW)
    moved = {each.job_id: each for each in plan.moves}

    assert {each.job_id: each.reason for each in plan.skipped} == {
        each.job_id: reason for each in jobs if (reason := why_fixed(each, NOW)) is not None
    }
    assert not moved.keys() & {each.job_id for each in plan.skipped}
    for each in jobs:
        if (move := moved.get(each.job_id)) is not None:
            assert not each.is_running
            assert move.from_time == each.next_run_at
            assert NOW <= move.to_time == start_of(move.to_slot)
            assert each.interval is not None
            assert move.to_time <= NOW + SLOT + each.interval


def test_ten_thousand_jobs_reach_an_even_day():
    intervals = [30, 38, 60, 90, 360, 720, 1440]
    jobs = [
        SlotEntry(number, intervals[number % 7] * MINUTE, NOW + 31 * MINUTE + (number % 300) * MINUTE)
        for number in range(10_000)
    ]

    assert plan_rebalance(jobs, NOW).after_score > 0.98
