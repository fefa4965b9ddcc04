"""Which jobs to move so that runs are spread more evenly (BAL-06 to BAL-08, BAL-11). Pure.

The preview is the plan, and the execution applies the same plan: the same snapshot at the same time gives
the same moves. The plan never lowers the distribution score.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

from outrider.jobs.distribution import score
from outrider.jobs.slot_entries import SlotEntry
from outrider.jobs.slot_times import slot_of, start_of
from outrider.jobs.slots import SlotMap

PROTECTION = timedelta(minutes=30)
COOLDOWN = timedelta(hours=1)
LESS_LOADED = "less_loaded_slot"

_SAME_SCORE = 1e-9
_NONE = timedelta()


class Fixed(StrEnum):
    """Why a job cannot be moved (BAL-06)."""

    JOB_RUNNING = "job_running"
    PROTECTION_WINDOW = "protection_window"
    PLACEMENT_COOLDOWN = "placement_cooldown"
    ONE_TIME_JOB = "one_time_job"  # it runs as soon as it can


@dataclass(frozen=True, slots=True)
class SlotMove:
    """A job that changes its slot."""

    job_id: int
    from_time: datetime
    to_time: datetime
    reason: str = LESS_LOADED

    @property
    def from_slot(self) -> int:
        """The slot that the job leaves."""
        return slot_of(self.from_time)

    @property
    def to_slot(self) -> int:
        """The slot that the job gets."""
        return slot_of(self.to_time)


class NotMoved(NamedTuple):
    """A job that a rebalance must leave alone, and why."""

    job_id: int
    reason: Fixed


@dataclass(frozen=True, slots=True)
class RebalancePlan:
    """What a rebalance does. A job that is neither moved nor skipped has a good slot already."""

    moves: tuple[SlotMove, ...]
    skipped: tuple[NotMoved, ...]
    before_score: float
    after_score: float

    @property
    def total_moves(self) -> int:
        """How many jobs change their slot. An execution reports how many it updated as `jobs_updated`."""
        return len(self.moves)

    @property
    def improvement(self) -> float:
        """By how much the score grows."""
        return self.after_score - self.before_score


def why_fixed(entry: SlotEntry, now: datetime) -> Fixed | None:
    """Why a job cannot be moved now; None if it can."""
    if entry.is_running:
        return Fixed.JOB_RUNNING
    if entry.next_run_at - now <= PROTECTION:
        return Fixed.PROTECTION_WINDOW
    if entry.placed_at is not None and now - entry.placed_at <= COOLDOWN:
        return Fixed.PLACEMENT_COOLDOWN
    return Fixed.ONE_TIME_JOB if entry.interval is None else None


def plan_rebalance(entries: Iterable[SlotEntry], now: datetime) -> RebalancePlan:
    """Move each movable job to its least-loaded slot if that is better, the longest interval first (BAL-07).

    Of the moves in their order, the plan keeps as many as reach the best score.
    """
    known = sorted(entries, key=attrgetter("job_id"))
    known.sort(key=lambda each: each.interval or _NONE, reverse=True)  # equal ones stay in their order
    slot_map = SlotMap(known, now)
    before = best = score(slot_map.hours().tolist())
    moves, kept, skipped = [], 0, []
    staying = set()  # slots whose jobs have no better one, until a job moves
    for entry in known:
        if (reason := why_fixed(entry, now)) is not None:
            skipped.append(NotMoved(entry.job_id, reason))
        elif (slots := slot_map.same_slots(entry)) in staying:
            continue
        elif (move := _move(slot_map, entry)) is None:
            staying.add(slots)
        else:
            staying.clear()
            moves.append(move)
            reached = score(slot_map.hours().tolist())
            if reached >= best - _SAME_SCORE:
                best, kept = max(best, reached), len(moves)
    return RebalancePlan(tuple(moves[:kept]), tuple(skipped), before, best)


def apply_moves(entries: Iterable[SlotEntry], plan: RebalancePlan, now: datetime) -> list[SlotEntry]:
    """The schedule after the plan was executed."""
    moved = {each.job_id: each.to_time for each in plan.moves}
    return [
        each._replace(next_run_at=moved[each.job_id], placed_at=now) if each.job_id in moved else each
        for each in entries
    ]


def _move(slot_map: SlotMap, entry: SlotEntry) -> SlotMove | None:
    slot_map.remove(entry)
    slot = slot_map.best_move(entry)
    moved = entry if slot is None else entry._replace(next_run_at=start_of(slot))
    slot_map.add(moved)
    return None if slot is None else SlotMove(entry.job_id, entry.next_run_at, moved.next_run_at)
