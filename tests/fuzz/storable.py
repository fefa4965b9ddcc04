"""Can the database keep it? Text with a NUL or half a surrogate takes down the whole batch it is in."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def check_storable(value: Any) -> None:
    """Every text in it, however deep."""
    if isinstance(value, str):
        value.encode()
        assert "\0" not in value, value[:100]
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            check_storable(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for name, held in value.items():
            check_storable(name)
            check_storable(held)
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        for held in value:
            check_storable(held)
