"""Dataclasses as JSON: times in ISO 8601, bytes left out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any


def record(value: Any) -> Any:
    """`value` as something JSON can say."""
    if is_dataclass(value):
        named = ((each.name, getattr(value, each.name)) for each in fields(value))
        return {name: record(item) for name, item in named if not isinstance(item, bytes)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): record(item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return record(value._asdict())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [record(item) for item in value]
    return value
