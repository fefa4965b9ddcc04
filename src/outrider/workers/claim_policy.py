"""How many hosts a worker claims, and how long it rests before the next claim. Pure.

A worker claims a host that it has just released again at once, because it knows the host's links and has a
connection. It claims other hosts at intervals, and without a pause while more are due than it has lanes for.
"""

from dataclasses import dataclass

from outrider.frontier.leases import claim_size

IDLE_S = 1.0  # CLM-05: rest after a claim that found nothing
LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class ClaimSize:
    """The size of one claim: hosts that this worker has just released, and other hosts."""

    own: int
    others: int

    def is_filled_by(self, taken: int) -> bool:
        """Whether the claim got all other hosts that it asked for, so that more may be due."""
        return taken >= self.others > 0


class ClaimPolicy:
    """Decides the size of the next claim, and when to look for other hosts again."""

    def __init__(self, most: int) -> None:
        self._most = most  # other hosts in one claim
        self._look_at = 0.0

    def next_claim(self, room: int, own: int, *, is_crowded: bool, now: float) -> ClaimSize:
        """The size of a claim with room for so many hosts, of which `own` were released by this worker.

        When many hosts are due, own hosts have no preference: the most urgent host comes first.
        """
        again = 0 if is_crowded else min(own, max(room, 0))
        may_look = is_crowded or now >= self._look_at
        return ClaimSize(again, claim_size(min(room - again, self._most)) if may_look else 0)

    def rest_s(self, size: ClaimSize, taken: int, *, will_grow: bool, now: float) -> float:
        """How long to rest after a claim at `now` that took so many other hosts."""
        if size.is_filled_by(taken):
            return 0.0
        is_put_off = now < self._look_at
        if size.others:
            self._look_at = now + LOOK_S
        return LOOK_S if is_put_off or will_grow else IDLE_S
