"""The slot map: how many jobs run in each quarter of an hour, and the best slot for one more. Pure.

A slot is 15 minutes (BAL-01). The map is made from a snapshot of the schedule at `now` (BAL-13). A job counts
in every slot that it uses: a job with an interval of an hour in every fourth slot of the day, a job with an
interval under 15 minutes in all of them (BAL-14).

A job that runs at least once a day counts at every time of its rhythm in 24 hours, also before its next run:
so the map shows the usual day, and 96 numbers are enough. A less frequent job counts in the slot of its next
run.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from outrider.jobs.model import LONGEST_INTERVAL
from outrider.jobs.slot_entries import Rhythm, SlotEntry
from outrider.jobs.slot_times import DAY_S, SLOT_S, first_free_slot, slot_of, start_of

DAY = timedelta(hours=24)
DAY_SLOTS = DAY_S // SLOT_S

Counts = NDArray[np.int64]


class SlotMap:
    """The load of each slot from `now` on. `add`, `remove` and `place` cost microseconds."""

    def __init__(self, entries: Iterable[SlotEntry], now: datetime) -> None:
        self._first = slot_of(now)
        self._daily = np.zeros(DAY_SLOTS, np.int64)  # jobs that run at least once a day
        self._rare = np.zeros(DAY_SLOTS, np.int64)  # the others; grows up to LONGEST_INTERVAL
        self._candidates_from = first_free_slot(now)
        self._hour_of = (self._first + np.arange(DAY_SLOTS)) % DAY_SLOTS // 4
        self._add_all(list(entries))

    @classmethod
    def of_rhythms(cls, rhythms: Iterable[Rhythm], now: datetime) -> "SlotMap":
        """The same map from jobs that were counted already: it costs a few hundred microseconds."""
        found = cls((), now)
        counted = np.array(list(rhythms), np.int64).reshape(-1, 3)
        is_daily = (counted[:, 0] > 0) & (counted[:, 0] <= DAY_S)
        found._add_daily(*counted[is_daily].T)
        found._add_rare(*counted[~is_daily][:, 1:].T)
        return found

    def add(self, entry: SlotEntry) -> None:
        """Count a job in its slots."""
        self._change(entry, 1)

    def remove(self, entry: SlotEntry) -> None:
        """Stop counting a job that was counted with the same values."""
        self._change(entry, -1)

    def same_slots(self, entry: SlotEntry) -> tuple[timedelta | None, int]:
        """Equal for jobs with the same interval and slots: while none moves, all move or all stay."""
        ahead_s = self._ahead_s(entry)
        if entry.interval is None or entry.interval > DAY:
            return entry.interval, max(0, ahead_s) // SLOT_S
        step_s = _step_s(entry.interval)
        first_s = ahead_s % step_s
        return entry.interval, first_s - first_s % SLOT_S if step_s % SLOT_S == 0 else first_s

    def load(self, slot: int) -> int:
        """How many jobs use a slot."""
        ahead = slot - self._first
        rare = int(self._rare[ahead]) if 0 <= ahead < len(self._rare) else 0
        return int(self._daily[ahead % DAY_SLOTS]) + rare

    def day(self) -> Counts:
        """The loads of 24 hours. The first is that of the current slot."""
        return self._daily + self._rare[:DAY_SLOTS]

    def hours(self) -> Counts:
        """The loads of 24 hours by hour of the day in UTC. Each hour has four slots."""
        return np.bincount(self._hour_of, self.day(), minlength=24).astype(np.int64)

    def place(self, interval: timedelta | None) -> int:
        """The least-loaded slot in the next max(24 h, interval); ties go to the earliest (BAL-03).

        The load of a recurring job's slot is that of all the slots it will use in this time.
        """
        loads = self._loads_of_candidates(interval)
        return self._candidates_from + int(loads.argmin())

    def best_move(self, entry: SlotEntry) -> int | None:
        """A slot with less load than the job meets at its time; None: there is none. Remove the job first."""
        current = self._load_along(entry)
        if current is None:
            return None
        loads = self._loads_of_candidates(entry.interval)
        best = int(loads.argmin())
        return self._candidates_from + best if loads[best] < current else None

    def _loads_of_candidates(self, interval: timedelta | None) -> Counts:
        """The load that a job meets for each slot in which it may be placed."""
        ahead = self._candidates_from - self._first
        if interval is not None and interval <= DAY:
            first_runs = _ceil_slots(interval)
            offsets = _offsets(_step_s(interval), first_runs)
            loads: Counts = self.day()[(offsets + ahead) % DAY_SLOTS].sum(axis=1)
            return loads
        window = DAY_SLOTS if interval is None else _ceil_slots(min(interval, LONGEST_INTERVAL))
        self._grow(ahead + window)
        repeated = np.resize(np.roll(self._daily, -ahead), window)
        return np.asarray(repeated + self._rare[ahead : ahead + window])

    def _load_along(self, entry: SlotEntry) -> int | None:
        """The load that a job meets at its present time, as for a candidate. None: beyond the map."""
        ahead_s = self._ahead_s(entry)
        if entry.interval is not None and entry.interval <= DAY:
            step_s = _step_s(entry.interval)
            runs = np.arange(_runs_a_day(step_s)) * step_s
            return int(self.day()[(ahead_s % step_s + runs) // SLOT_S % DAY_SLOTS].sum())
        ahead = max(0, ahead_s) // SLOT_S
        return self.load(self._first + ahead) if ahead < _ceil_slots(LONGEST_INTERVAL) else None

    def _change(self, entry: SlotEntry, by: int) -> None:
        ahead_s = self._ahead_s(entry)
        if entry.interval is not None and entry.interval <= DAY:
            step_s = _step_s(entry.interval)
            runs = np.arange(ahead_s % step_s, DAY_S, step_s) // SLOT_S
            self._daily[runs] += by  # one step is at least one slot: no slot occurs twice
        elif (slot := max(0, ahead_s) // SLOT_S) < _ceil_slots(LONGEST_INTERVAL):
            self._grow(slot + 1)
            self._rare[slot] += by

    def _add_all(self, entries: list[SlotEntry]) -> None:
        """Like `add` for each entry, in a few array operations: ten thousand jobs take milliseconds."""
        now_s = self._first * SLOT_S
        count = len(entries)
        ahead = np.fromiter((each.next_run_at.timestamp() for each in entries), np.float64, count)
        step = np.fromiter(
            (0 if each.interval is None else each.interval.total_seconds() for each in entries),
            np.float64,
            count,
        )
        ahead_s = (ahead // 1).astype(np.int64) - now_s
        step_s = np.where(step > 0, np.maximum(step, SLOT_S), step).astype(np.int64)
        is_daily = (step_s > 0) & (step_s <= DAY_S)

        every_s = step_s[is_daily]
        first_s = ahead_s[is_daily] % every_s
        first_s -= np.where(
            every_s % SLOT_S == 0, first_s % SLOT_S, 0
        )  # the same slots, fewer distinct rhythms
        rhythms, jobs = np.unique(every_s * DAY_S + first_s, return_counts=True)
        self._add_daily(rhythms // DAY_S, rhythms % DAY_S, jobs)
        rare = np.maximum(ahead_s[~is_daily], 0) // SLOT_S
        self._add_rare(rare, np.ones_like(rare))

    def _add_daily(self, every_s: Counts, first_s: Counts, jobs: Counts) -> None:
        """Add `jobs[n]` jobs that run every `every_s[n]` seconds, at most a day, first after `first_s[n]`."""
        runs = -(-(DAY_S - first_s) // every_s)
        nth = np.arange(runs.sum()) - np.repeat(runs.cumsum() - runs, runs)
        at_s = np.repeat(first_s, runs) + nth * np.repeat(every_s, runs)
        loads = np.bincount(at_s // SLOT_S, np.repeat(jobs, runs), minlength=DAY_SLOTS)
        self._daily += loads.astype(np.int64)

    def _add_rare(self, ahead: Counts, jobs: Counts) -> None:
        """Add `jobs[n]` jobs to the slot that is `ahead[n]` slots after the current one."""
        is_known = ahead < _ceil_slots(LONGEST_INTERVAL)
        ahead, jobs = ahead[is_known], jobs[is_known]
        if len(ahead):
            self._grow(int(ahead.max()) + 1)
            self._rare += np.bincount(ahead, jobs, minlength=len(self._rare)).astype(np.int64)

    def _ahead_s(self, entry: SlotEntry) -> int:
        """Seconds from the start of the current slot to the next run, negative for a job that is late."""
        return int(entry.next_run_at.timestamp() // 1) - self._first * SLOT_S

    def _grow(self, slots: int) -> None:
        if slots > len(self._rare):
            self._rare = np.pad(self._rare, (0, slots - len(self._rare)))


def place(entries: Iterable[SlotEntry], interval: timedelta | None, now: datetime) -> datetime:
    """When a new, resumed or changed job runs first: the start of its slot (BAL-03)."""
    return start_of(SlotMap(entries, now).place(interval))


def _step_s(interval: timedelta) -> int:
    """Seconds between two slots of a job. A job with an interval under 15 minutes uses every slot."""
    return max(SLOT_S, int(interval.total_seconds()))


def _ceil_slots(length: timedelta) -> int:
    return max(1, -int(-length.total_seconds() // SLOT_S))


def _runs_a_day(step_s: int) -> int:
    return max(1, -(-DAY_S // step_s))


@lru_cache(maxsize=128)
def _offsets(step_s: int, first_runs: int) -> Counts:
    """For each slot of the first run, a row with the slots of all runs of a day."""
    starts = np.arange(first_runs)[:, None] * SLOT_S
    return np.asarray((starts + np.arange(_runs_a_day(step_s))[None, :] * step_s) // SLOT_S)
