"""How many hosts a worker asks for, and how long it rests before it asks again. Pure.

Hosts it gave back a moment ago it takes again at once, because it knows their links and has a connection. For
others it looks now and then, and without a pause while more are due than it has lanes for.
"""

from dataclasses import dataclass

from outrider.frontier.leases import handed_out

IDLE_S = 1.0  # CLM-05: nothing to claim, look again in about this time
LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class ClaimSize:
    """What one claim asks for: so many of our own hosts, and so many others."""

    own: int
    others: int

    def is_filled_by(self, taken: int) -> bool:
        """Did it bring all the others it asked for, so that more may wait?"""
        return taken >= self.others > 0


class ClaimPolicy:
    """Remembers when it is time to look for other hosts again."""

    def __init__(self, most: int) -> None:
        self._most = most  # others in one claim
        self._look_at = 0.0

    def portion(self, room: int, own: int, *, is_crowded: bool, now: float) -> ClaimSize:
        """What to ask for when there is room for so many hosts, and so many of our own may be had again.

        Where many wait ours have no privilege: the most urgent comes first.
        """
        again = 0 if is_crowded else min(own, max(room, 0))
        may_look = is_crowded or now >= self._look_at
        return ClaimSize(again, handed_out(min(room - again, self._most)) if may_look else 0)

    def rest_s(self, portion: ClaimSize, taken: int, *, will_grow: bool, now: float) -> float:
        """How long nothing more is to be expected, after a claim at `now` brought so many others."""
        if portion.is_filled_by(taken):
            return 0.0
        is_put_off = now < self._look_at
        if portion.others:
            self._look_at = now + LOOK_S
        return LOOK_S if is_put_off or will_grow else IDLE_S
