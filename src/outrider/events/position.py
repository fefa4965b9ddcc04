"""A position in the event log, as one opaque text that readers keep and send back. Pure."""

import re
from typing import NamedTuple, Self

from outrider.errors import InvalidInput

_TEXT = re.compile(r"([0-9a-f]{8})\.(0|[1-9][0-9]{0,19})\.(0|[1-9][0-9]{0,18})")
_LARGEST_XID = 2**64 - 1
_LARGEST_NUMBER = 2**63 - 1


class Position(NamedTuple):
    """The place of one event in the order of the log. Later events of the same history are greater.

    A reader at a position has seen every event up to it. Positions of two histories (another server, or the
    same one after a restore) cannot be compared.
    """

    history: str
    xid: int  # the transaction that wrote the event
    number: int

    def __str__(self) -> str:
        return f"{self.history}.{self.xid}.{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str()` wrote; raises InvalidInput for any other text."""
        parts = _TEXT.fullmatch(text)
        if parts is None or int(parts[2]) > _LARGEST_XID or int(parts[3]) > _LARGEST_NUMBER:
            shown = text if len(text) <= 80 else text[:80] + "…"
            raise InvalidInput(f"{shown!r} is not a position in the event log")
        return cls(parts[1], int(parts[2]), int(parts[3]))
