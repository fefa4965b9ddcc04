"""The types of events of sources."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

STREAM = "source-events"
GROUP = "crawler-workers"


class EventType(StrEnum):
    """What happened to a source (SRC-07)."""

    CREATED = "SOURCE_CREATED"
    UPDATED = "SOURCE_UPDATED"
    DELETED = "SOURCE_DELETED"
    ENABLED = "SOURCE_ENABLED"
    DISABLED = "SOURCE_DISABLED"


@dataclass(frozen=True, slots=True)
class SourceEvent:
    """One change of one source; `source_id` is the public id of the source."""

    event_id: UUID
    event_type: EventType
    source_id: UUID
    at: datetime
    payload: Mapping[str, Any]
