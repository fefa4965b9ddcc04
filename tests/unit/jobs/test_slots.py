"""The slot map: which slot a time has, which jobs a slot counts, and where a job is placed."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON

from outrider.jobs.slot_entries import SlotEntry
from outrider.jobs.slot_times import SLOT, first_free_slot, slot_of, start_of
from outrider.jobs.slots import DAY_SLOTS, SlotMap, place

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOW = NOON + 7 * MINUTE
FIRST = first_free_slot(NOW)

minutes = st.sampled_from([1, 5, 14, 15, 20, 30, 38, 60, 90, 360, 1440, 2000, 10_080])
entries = st.lists(
    st.builds(
        SlotEntry,
        job_id=st.integers(1, 10**6),
        interval=st.none() | minutes.map(lambda number: number * MINUTE),
        next_run_at=st.integers(-(10**5), 10**6).map(lambda seconds: NOW + timedelta(seconds=seconds)),
    ),
    max_size=40,
)


def entry(interval: timedelta | None, in_slots: int) -> SlotEntry:
    """A job whose next run is so many slots after the first free one."""
    return SlotEntry(1, interval, start_of(FIRST + in_slots))


def test_a_slot_is_a_quarter_of_an_hour_since_the_epoch():
    """BAL-01."""
    assert slot_of(NOON) == int(NOON.timestamp()) // 900
    assert slot_of(NOON + SLOT - timedelta(microseconds=1)) == slot_of(NOON)
    assert slot_of(NOON + SLOT) == slot_of(NOON) + 1
    assert start_of(slot_of(NOON + 14 * MINUTE)) == NOON


@pytest.mark.parametrize(("late", "expected"), [(0, NOON), (1, NOON + SLOT), (900, NOON + SLOT)])
def test_a_job_is_placed_in_no_slot_that_has_begun(late, expected):
    assert start_of(first_free_slot(NOON + timedelta(seconds=late))) == expected
    assert place([], HOUR, NOON + timedelta(seconds=late)) == expected


@pytest.mark.parametrize("interval", [1 * MINUTE, 5 * MINUTE, 14 * MINUTE, 15 * MINUTE])
def test_a_job_that_runs_all_the_time_counts_in_every_slot(interval):
    """BAL-14."""
    assert SlotMap([entry(interval, 3)], NOW).day().tolist() == [1] * DAY_SLOTS


@pytest.mark.parametrize(("interval", "slots"), [(30 * MINUTE, 2), (HOUR, 4), (6 * HOUR, 24), (DAY, 96)])
def test_a_recurring_job_counts_in_each_slot_that_it_uses(interval, slots):
    slot_map = SlotMap([entry(interval, 1)], NOW)
    used = [number for number in range(DAY_SLOTS) if slot_map.load(FIRST + number)]

    assert used == list(range(1 % slots, DAY_SLOTS, slots))


def test_a_job_with_an_interval_of_days_counts_in_its_next_slot_only():
    slot_map = SlotMap([entry(7 * DAY, 200)], NOW)

    assert [number for number in range(1000) if slot_map.load(FIRST + number)] == [200]


def test_a_late_job_counts_now():
    assert SlotMap([SlotEntry(1, 7 * DAY, NOW - HOUR)], NOW).load(slot_of(NOW)) == 1


def test_new_jobs_take_the_least_loaded_slot_and_the_earliest_of_equal_ones():
    """BAL-03."""
    taken = [entry(DAY, number) for number in (0, 1, 3)]
    assert place(taken, DAY, NOW) == start_of(FIRST + 2)
    assert place([], DAY, NOW) == start_of(FIRST)

    all_but_one = [entry(DAY, number) for number in range(DAY_SLOTS) if number != 77]
    assert place(all_but_one, DAY, NOW) == start_of(FIRST + 77)


@pytest.mark.parametrize(
    ("interval", "slots"),
    [
        pytest.param(30 * MINUTE, 2, id="half an hour"),
        pytest.param(6 * HOUR, 24, id="six hours"),
        pytest.param(DAY, 96, id="a day"),
        pytest.param(7 * DAY, 672, id="a week"),
        pytest.param(None, 96, id="once"),
    ],
)
def test_jobs_of_one_interval_fill_every_slot_before_they_share_one(interval, slots):
    """BAL-03."""
    slot_map, placed = SlotMap([], NOW), []
    for number in range(slots + 1):
        placed.append(slot_map.place(interval))
        slot_map.add(SlotEntry(number, interval, start_of(placed[-1])))

    assert placed == [*range(FIRST, FIRST + slots), FIRST]


def test_a_recurring_job_looks_at_all_the_slots_it_will_use():
    in_the_evening = [entry(DAY, number) for number in (40, 44, 48)]

    assert place(in_the_evening, HOUR, NOW) == start_of(FIRST + 1)


@given(entries)
def test_adding_one_by_one_and_all_at_once_is_the_same(known):
    one_by_one = SlotMap([], NOW)
    for each in known:
        one_by_one.add(each)
    at_once = SlotMap(known, NOW)

    slots = range(slot_of(NOW), slot_of(NOW) + 1500)
    assert [one_by_one.load(slot) for slot in slots] == [at_once.load(slot) for slot in slots]
    for each in known:
        at_once.remove(each)
    assert not any(at_once.load(slot) for slot in slots)


@given(entries, st.none() | minutes.map(lambda number: number * MINUTE))
def test_a_job_is_placed_ahead_and_within_its_interval(known, interval):
    at = place(known, interval, NOW)

    assert NOW <= at < NOW + SLOT + (DAY if interval is None else max(SLOT, interval))
    assert at == start_of(slot_of(at)) == place(known, interval, NOW)


@given(entries)
def test_every_counted_slot_belongs_to_one_hour(known):
    slot_map = SlotMap(known, NOW)

    assert slot_map.hours().sum() == slot_map.day().sum()
    assert all(slot_map.load(slot) >= 0 for slot in range(FIRST, FIRST + DAY_SLOTS))


@given(entries, st.sampled_from([2, 3, 4, 6, 24, 96]))
def test_no_other_slot_has_less_load_along_the_rhythm_of_the_job(known, slots):
    """BAL-03."""
    slot_map = SlotMap(known, NOW)
    day = slot_map.day().tolist()
    ahead = FIRST - slot_of(NOW)

    def load_along(candidate: int) -> int:
        return sum(day[(ahead + candidate + run) % DAY_SLOTS] for run in range(0, DAY_SLOTS, slots))

    assert slot_map.place(slots * SLOT) - FIRST == min(range(slots), key=load_along)


def test_a_thousand_jobs_among_ten_thousand_each_get_a_slot_with_the_least_load():
    known = [
        SlotEntry(number, (15 + number % 97 * 15) * MINUTE, NOW + number * MINUTE) for number in range(10_000)
    ]
    slot_map = SlotMap(known, NOW)
    for number in range(1000):
        slot = slot_map.place(DAY)
        assert slot_map.day()[(slot - slot_of(NOW)) % DAY_SLOTS] == slot_map.day().min()
        slot_map.add(SlotEntry(number, DAY, start_of(slot)))
