"""A line in the log of a run (SSE-08), and what bounds it. Pure."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from outrider.run_logs.position import LogPosition

SCHEMA_VERSION = 1
LONGEST_MESSAGE = 2_000
LARGEST_FIELDS = 4_096  # characters of JSON
MOST_FIELDS = 50
LONGEST_VALUE = 1_000
LARGEST_NUMBER = 2**63 - 1

# A terminal must not obey a page, and PostgreSQL stores neither NUL nor surrogates. Bidirectional controls
# would let a page reorder the line around it.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_REPLACED = "\ufffd"


class LineLevel(StrEnum):
    """How important a line is, least first."""

    DEBUG = "debug"
    INFO = "info"
    WARN = "warn"
    ERROR = "error"

    @property
    def and_above(self) -> list[str]:
        levels = list(LineLevel)
        return [level.value for level in levels[levels.index(self) :]]


class LogCategory(StrEnum):
    """What a line is about."""

    LIFECYCLE = "lifecycle"
    FETCH = "fetch"
    EXTRACT = "extract"
    ERROR = "error"
    RATE_LIMIT = "rate_limit"
    QUEUE = "queue"
    METRICS = "metrics"


class NewLine(NamedTuple):
    """A line to append. It is made in the hot path, so it is cleaned later, by `storable`."""

    at: float  # seconds since 1970
    level: LineLevel
    category: LogCategory
    message: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunNames:
    """The names of a run for other programs."""

    execution_id: UUID
    job_id: UUID | None
    source_id: int
    execution_number: int

    @property
    def log_name(self) -> str:
        """The name of the job in keys and streams; a crawl command has no job, and is named by its source."""
        return f"crawl-{self.source_id}" if self.job_id is None else str(self.job_id)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line as it was written."""

    position: LogPosition
    at: datetime
    level: LineLevel
    category: LogCategory
    message: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self, names: RunNames) -> dict[str, Any]:
        """The line as the API, the archive and `--json` show it."""
        return {
            "schema_version": SCHEMA_VERSION,
            "position": str(self.position),
            "timestamp": self.at.isoformat(),
            "level": self.level.value,
            "category": self.category.value,
            "message": self.message,
            "job_id": names.log_name,
            "execution_id": str(names.execution_id),
            "fields": dict(self.fields),
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "LogLine":
        """Read what `as_json` made."""
        return cls(
            LogPosition.parse(said["position"]),
            datetime.fromisoformat(said["timestamp"]),
            LineLevel(said["level"]),
            LogCategory(said["category"]),
            said["message"],
            said["fields"],
        )


def clean(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """The text on one line, without control characters, and not longer than this."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return _HARMFUL.sub(_REPLACED, short)


def encode_fields(fields: Mapping[str, Any]) -> str:
    """The fields as JSON that the store accepts. What does not fit is left out, and a field says so."""
    kept = {clean(str(name), 64): _bounded(value) for name, value in list(fields.items())[:MOST_FIELDS]}
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_as_text)
    if len(text) <= LARGEST_FIELDS and len(fields) <= MOST_FIELDS:
        return text
    short = {name: value for name, value in kept.items() if isinstance(value, int | None)}
    return json.dumps(short | {"truncated": True}, separators=(",", ":"))


def _bounded(value: Any) -> Any:
    match value:
        case str():
            return clean(value, LONGEST_VALUE)
        case float() if not math.isfinite(value):
            return None
        case int() if abs(value) > LARGEST_NUMBER:
            return None
        case Mapping():
            return {clean(str(name), 64): _bounded(each) for name, each in list(value.items())[:MOST_FIELDS]}
        case list() | tuple():
            return [_bounded(each) for each in value[:MOST_FIELDS]]
        case _:
            return value


def _as_text(value: object) -> str:
    return clean(str(value), LONGEST_VALUE)
