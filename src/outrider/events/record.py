"""The types of the event log: events to write, and events as read. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from outrider.errors import InvalidInput
from outrider.events.position import Position

LONGEST_KIND = 64
LONGEST_SUBJECT = 200
LARGEST_PAYLOAD = 16 * 1024  # bytes of JSON

_KIND = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL cannot store these


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to write. Raises InvalidInput for one that the log cannot hold."""

    kind: str  # `noun.verb`, as in `job.started`
    subject_id: str
    payload: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.kind) > LONGEST_KIND or not _KIND.fullmatch(self.kind):
            raise InvalidInput(f"{self.kind[:LONGEST_KIND]!r} is not a kind of event, such as `job.started`")
        if len(self.subject_id) > LONGEST_SUBJECT or _NOT_STORABLE.search(self.subject_id):
            raise InvalidInput(f"the subject of an event has at most {LONGEST_SUBJECT} printable characters")
        if len(self.encoded().encode()) > LARGEST_PAYLOAD:
            raise InvalidInput(f"the payload of {self.kind} has more than {LARGEST_PAYLOAD:,} bytes")

    def encoded(self) -> str:
        """The payload as JSON; characters that PostgreSQL refuses are replaced."""
        try:
            return json.dumps(
                _storable(self.payload), ensure_ascii=False, separators=(",", ":"), allow_nan=False
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"the payload of {self.kind} is not JSON: {error}") from None


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as it was written; `at` is the database's time."""

    position: Position
    at: datetime
    kind: str
    subject_id: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The events of one read, and the position from which to continue.

    `is_kept` False means that events after the reader's position were removed. The reader must take a new
    snapshot of the state, at `position` or later, and continue from there.
    """

    events: Sequence[LoggedEvent]
    position: Position
    is_kept: bool = True
    is_full: bool = False  # more events may be waiting


@dataclass(frozen=True, slots=True)
class EventLag:
    """Committed events that readers cannot see yet, because an older transaction still runs."""

    waiting: int
    waiting_s: float  # the age of the oldest of them
    held_s: float  # the age of the oldest transaction that writes
    held_by: str | None  # its application and process


def _storable(value: Any) -> Any:
    match value:
        case str():
            return _NOT_STORABLE.sub("\ufffd", value)
        case Mapping():
            return {_storable(name): _storable(each) for name, each in value.items()}
        case list() | tuple():
            return [_storable(each) for each in value]
        case _:
            return value
