"""Server-sent events as bytes. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

P = TypeVar("P")

HEARTBEAT = b": heartbeat\n\n"
SERVER_STOPS = "the server stops: connect again"


class StreamEvent(StrEnum):
    """Events of the streams themselves; the others are named by the catalogue of events."""

    CONNECTED = "connected"  # the first event: where the stream begins
    RESET = "reset"  # events were lost: load the state anew; the stream continues after this position
    CLOSING = "closing"  # the server stops, or the login was revoked
    LOG_LINE = "log:line"
    LOG_ENDED = "log:ended"  # the run has ended, and this was its last line
    HEALTH_STATUS = "health:status"
    METRICS_UPDATE = "metrics:update"
    PIPELINE_STAGE = "pipeline:stage"


@dataclass(frozen=True, slots=True)
class Frame(Generic[P]):
    """One event of a topic, encoded once for all clients."""

    position: P
    event: str
    encoded: bytes


def encode(event: str, data: Mapping[str, Any], position: object | None = None) -> bytes:
    """An event; JSON has no line break, so the data is one line."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    head = "" if position is None else f"id: {position}\n"
    return f"{head}event: {event}\ndata: {text}\n\n".encode()


def connected(stream: str, position: object, *, is_resumable: bool = True) -> bytes:
    """The first event of a stream. Its id lets a client that breaks off at once continue from here."""
    data = {"stream": stream, "position": str(position)}
    return encode(StreamEvent.CONNECTED, data, position if is_resumable else None)


def reset(position: object) -> bytes:
    """Tells a client that events before this position are lost to it."""
    return encode(StreamEvent.RESET, {"position": str(position)}, position)


def closing(reason: str) -> bytes:
    """The last event of a stream that ends before its feed does."""
    return encode(StreamEvent.CLOSING, {"reason": reason})
