"""Counts the answers of several lock servers. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from outrider.errors import Unavailable


def quorum_of(servers: int) -> int:
    """The least number of servers of which no two disjoint groups exist."""
    return servers // 2 + 1


@dataclass(frozen=True, slots=True)
class Votes:
    """One answer for each server: yes, no, or the error that came instead."""

    answers: Sequence[bool | Exception]

    @property
    def passed(self) -> bool:
        """Whether a quorum said yes. Raises Unavailable where the silent servers would have decided."""
        quorum = quorum_of(len(self.answers))
        if sum(answer is True for answer in self.answers) >= quorum:
            return True
        errors = [answer for answer in self.answers if isinstance(answer, Exception)]
        if sum(answer is not False for answer in self.answers) < quorum:
            return False
        raise Unavailable(
            f"{len(errors)} of {len(self.answers)} Redis servers did not answer, "
            f"and {quorum} must agree: {errors[0]}"
        )
