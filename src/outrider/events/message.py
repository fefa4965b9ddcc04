"""Converts events to messages of the stream and back. Pure."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from outrider.errors import InvalidInput
from outrider.events.model import EventType, SourceEvent

LARGEST = 256 * 1024  # bytes of a message
_LONGEST_VALUE = 100  # of each field except the payload


def to_message(event: SourceEvent) -> dict[str, str]:
    return {
        "event_id": str(event.event_id),
        "event_type": event.event_type.value,
        "source_id": str(event.source_id),
        "timestamp": event.at.astimezone(UTC).isoformat(),
        "payload": json.dumps(event.payload, ensure_ascii=False, separators=(",", ":")),
    }


def read_message(fields: Mapping[bytes, bytes]) -> SourceEvent:
    """Parse a message of any program; raises InvalidInput if it is no event."""
    if sum(len(name) + len(value) for name, value in fields.items()) > LARGEST:
        raise InvalidInput(f"it has more than {LARGEST:,} bytes")
    return SourceEvent(
        _uuid(fields, "event_id"),
        _type(fields),
        _uuid(fields, "source_id"),
        _time(fields),
        _payload(fields.get(b"payload", b"{}")),
    )


def _value(fields: Mapping[bytes, bytes], name: str) -> str:
    value = fields.get(name.encode(), b"")
    if not value:
        raise InvalidInput(f"it has no {name}")
    return value[: _LONGEST_VALUE + 1].decode("utf-8", "replace")


def _uuid(fields: Mapping[bytes, bytes], name: str) -> UUID:
    text = _value(fields, name)
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput(f"its {name} {text!r} is not a UUID") from None


def _type(fields: Mapping[bytes, bytes]) -> EventType:
    text = _value(fields, "event_type")
    try:
        return EventType(text)
    except ValueError:
        raise InvalidInput(f"its event_type {text!r} is not known here") from None


def _time(fields: Mapping[bytes, bytes]) -> datetime:
    text = _value(fields, "timestamp")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"its timestamp {text!r} is not a time") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _payload(text: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("its payload is not JSON") from None
    if not isinstance(payload, dict):
        raise InvalidInput("its payload is not an object")
    return payload
