"""Dataclasses as JSON: times in ISO 8601, raw bytes left out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any


def record(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, as JSON can say them."""
    named = ((each.name, getattr(value, each.name)) for each in fields(value))
    return {name: _say(item) for name, item in named if not isinstance(item, bytes)}


def _say(value: Any) -> Any:
    if is_dataclass(value):
        return record(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _say(item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _say(value._asdict())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_say(item) for item in value]
    return value
