"""JSON Schemas of results, by the same rules as `services/as_json.py`. Pure."""

import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from pathlib import PurePath
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from pydantic import BaseModel, TypeAdapter
from typing_extensions import is_typeddict

from outrider.services.as_json import HasJsonForm, json_name_of
from outrider.services.paging import CursorPage, ListPage, TotalIs
from outrider.urls import UrlKey

Schema = dict[str, Any]
REF = "#/components/schemas/{}"

_SIMPLE: dict[type, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    timedelta: {"type": "number", "description": "Seconds."},
    UUID: {"type": "string", "format": "uuid"},
    UrlKey: {"type": "string", "pattern": "^-?[0-9]+:[0-9a-f]{32}$"},
    type(None): {"type": "null"},
}


class Schemas:
    """Collects the schemas of named types, so that operations refer to them by name."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of_result(self, kind: Any, *, has_position: bool = False) -> Schema:
        """The schema of the answer of a route; a list of a route that gives a position has it."""
        plain = get_origin(kind) or kind
        if isinstance(plain, type) and issubclass(plain, ListPage):
            return self._list(kind, plain, has_position=has_position)
        return self.of(kind)

    def of(self, kind: Any) -> Schema:
        """The schema of a result type."""
        origin = get_origin(kind)
        if isinstance(kind, type) and kind in _SIMPLE:
            return dict(_SIMPLE[kind])
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(each) for each in get_args(kind)]}
        plain = origin or kind
        if not isinstance(plain, type):
            return self._of_typeddict(kind) if is_typeddict(kind) else {}
        if issubclass(plain, ListPage):
            return self._list(kind, plain, has_position=False)
        if issubclass(plain, PurePath):
            return {"type": "string"}
        if issubclass(plain, Enum):
            return self._enum(plain)
        return self._compound(kind, plain)

    def _compound(self, kind: Any, plain: type) -> Schema:
        if issubclass(plain, BaseModel):
            return self._of_pydantic(plain.__name__, TypeAdapter(plain))
        if is_typeddict(plain):
            return self._of_typeddict(plain)
        if is_dataclass(plain):
            return self._of_dataclass(plain)
        arguments = get_args(kind)
        if issubclass(plain, Mapping):
            values = self.of(arguments[1]) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": values}
        if issubclass(plain, Sequence | Set) and not issubclass(plain, bytes):
            return {"type": "array", "items": self.of(arguments[0]) if arguments else {}}
        return {}

    def _enum(self, kind: type[Enum]) -> Schema:
        self.named[kind.__name__] = {
            "type": "string",
            "description": _summary(kind),
            "enum": [each.value for each in kind],
        }
        return {"$ref": REF.format(kind.__name__)}

    def _list(self, kind: Any, plain: type, *, has_position: bool) -> Schema:
        """A list of items is one schema, named by the item, wherever it is shown.

        A list with fields of its own is named by its class.
        """
        item = _item_of(kind, plain)
        properties: Schema = {
            "items": {"type": "array", "items": self.of(item)},
            "total": {"type": "integer", "minimum": 0},
            "total_is": self.of(TotalIs),
            "limit": {"type": "integer"},
            "offset": {"type": "integer"},
        }
        if issubclass(plain, CursorPage):
            properties["next"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        if has_position:
            properties["position"] = {"type": "string", "description": "Where a stream has to begin."}
        hints = get_type_hints(plain)
        own = {name: self.of(hints[name]) for name in plain.__annotations__ if name not in properties}
        properties |= own
        name = plain.__name__ if own else f"{item.__name__.removesuffix('Shape')}List"
        made = {
            "type": "object",
            "description": "A part of a list, and how many items the whole list has.",
            "properties": properties,
            "required": list(properties),
        }
        if self.named.setdefault(name, made) != made:
            raise TypeError(f"two lists of {item.__name__} differ: one has a cursor or a position")
        return {"$ref": REF.format(name)}

    def _of_dataclass(self, kind: type) -> Schema:
        if kind.__name__ in self.named:
            return {"$ref": REF.format(kind.__name__)}
        if issubclass(kind, HasJsonForm):  # its JSON has another shape than its fields
            self.named[kind.__name__] = {"type": "object", "description": _summary(kind)}
            return {"$ref": REF.format(kind.__name__)}
        self.named[kind.__name__] = {}  # a type may contain itself
        hints = get_type_hints(kind)
        properties = {
            name: self.of(hints[each.name])
            for each in fields(kind)  # type: ignore[arg-type]
            if (name := json_name_of(each)) is not None and hints[each.name] is not bytes
        }
        self.named[kind.__name__] = {
            "type": "object",
            "description": _summary(kind),
            "properties": properties,
            "required": list(properties),
        }
        return {"$ref": REF.format(kind.__name__)}

    def _of_typeddict(self, kind: Any) -> Schema:
        return self._of_pydantic(kind.__name__, TypeAdapter(kind))

    def _of_pydantic(self, name: str, adapter: "TypeAdapter[Any]") -> Schema:
        made = adapter.json_schema(ref_template=REF.replace("{}", "{model}"), mode="serialization")
        self.named.update(made.pop("$defs", {}))
        self.named[name] = made
        return {"$ref": REF.format(name)}


def _summary(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _item_of(kind: Any, plain: type) -> Any:
    """The type of the items of a list: its argument, or that of the list that it extends."""
    bases = getattr(plain, "__orig_bases__", ())
    (item,) = get_args(kind) or next(get_args(base) for base in bases if get_args(base))
    return item
