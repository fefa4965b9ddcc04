"""Positions in the logs of runs. Pure."""

import re
from typing import NamedTuple, Self

from outrider.errors import InvalidInput

_TEXT = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")
_LARGEST = 2**31 - 1


class LogPosition(NamedTuple):
    """The place of a line: its run and its number. A reader at a position has seen every line up to it.

    The text is also the id of the line in the Redis stream of its job: ids there grow with the runs of a job.
    """

    run_id: int
    number: int

    def __str__(self) -> str:
        return f"{self.run_id}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str()` wrote; raises InvalidInput for any other text."""
        parts = _TEXT.fullmatch(text)
        if parts is None or max(int(parts[1]), int(parts[2])) > _LARGEST:
            shown = text if len(text) <= 80 else text[:80] + "…"
            raise InvalidInput(f"{shown!r} is not a position in the log of a run, such as 17-1200")
        return cls(int(parts[1]), int(parts[2]))

    def of_run(self, run_id: int) -> Self:
        """This position; raises InvalidInput if it belongs to another run."""
        if self.run_id != run_id:
            raise InvalidInput(f"position {self} belongs to run {self.run_id}, and not to run {run_id}")
        return self
