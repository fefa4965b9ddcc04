"""Convert results of use cases to JSON, for the command line and the API. Pure."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import Field, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable
from uuid import UUID

from outrider.services.paging import CursorPage, ListPage, TotalIs
from outrider.urls import UrlKey

_NAME = "json_name"
_PLAIN = frozenset((str, int, float, bool, type(None)))
_TEXT = frozenset((str,))
_NAMES_OF: dict[type, Sequence[tuple[str, str]]] = {}  # of each dataclass that was converted
NOT_IN_JSON: Mapping[str, Any] = MappingProxyType({_NAME: None})  # metadata of a field that JSON leaves out


@runtime_checkable
class HasJsonForm(Protocol):
    """A result whose JSON has another shape than its fields."""

    def json_form(self) -> Mapping[str, Any]:
        """The names and values of its JSON; `as_json` converts the values."""


def json_name(name: str) -> Mapping[str, Any]:
    """Metadata of a field that has another name in JSON."""
    return {_NAME: name}


def as_json(value: Any) -> Any:
    """A result in the form that `json.dumps` takes.

    A result that has a `json_form` becomes that. Any other dataclass becomes an object of its fields,
    without raw bytes. Times are RFC 3339 in UTC, durations are seconds, an enum is its value, the key of a
    URL is one string. An unknown type raises TypeError.
    """
    kind = type(value)
    if kind in _PLAIN:  # most values: no other question is asked about them
        return value
    if kind is datetime:
        return _time(value)
    if kind in _NAMES_OF:  # a dataclass that was converted before
        return _object(value)
    if kind is list:
        return [as_json(item) for item in value]
    if kind is dict:
        if _PLAIN.issuperset(map(type, value.values())) and _TEXT.issuperset(map(type, value)):
            return value.copy()  # thousands of small objects, such as the states of a source
        return {
            name if type(name) is str else str(as_json(name)): item if type(item) in _PLAIN else as_json(item)
            for name, item in value.items()
        }
    if isinstance(value, Enum):
        return as_json(value.value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime):
        return _time(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UrlKey):
        return f"{value.host_id}:{value.hash}"
    if isinstance(value, UUID | PurePath):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(type(value), "json_form"):  # `HasJsonForm`; to ask a protocol takes ten times as long
        return as_json(value.json_form())
    if is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    return _collection(value)


def list_as_json(page: ListPage[Any], name: str) -> dict[str, Any]:
    """A list as commands print it: the total, the items under their own name, and the next cursor."""
    following = {"next": page.next} if isinstance(page, CursorPage) else {}
    return {"total": page.total, name: as_json(page.items)} | following


def url_list_as_json(page: CursorPage[Any], *, is_sorted: bool) -> dict[str, Any]:
    """The list of `outrider urls`, with the accuracy of its total and its order."""
    return {
        "urls": as_json(page.items),
        "total": page.total,
        "is_exact": page.total_is is TotalIs.EXACT,
        "is_sorted": is_sorted,
        "next": page.next,
    }


def _time(at: datetime) -> str:
    if at.tzinfo is None:
        raise TypeError(f"{at!r} has no time zone")
    return at.astimezone(UTC).isoformat()


def _object(value: Any) -> dict[str, Any]:
    made = {}
    for field, name in _names(type(value)):
        item = getattr(value, field)
        if type(item) in _PLAIN:
            made[name] = item
        elif not isinstance(item, bytes):
            made[name] = as_json(item)
    return made


def _names(kind: Any) -> Sequence[tuple[str, str]]:
    """The fields of a dataclass that JSON has, and their names there."""
    if kind not in _NAMES_OF:
        named = ((each.name, json_name_of(each)) for each in fields(kind))
        _NAMES_OF[kind] = [(field, name) for field, name in named if name is not None]
    return _NAMES_OF[kind]


def json_name_of(each: "Field[Any]") -> str | None:
    """The name of a field in JSON; None if JSON leaves it out."""
    name: str | None = each.metadata.get(_NAME, each.name)
    return name


def _collection(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(as_json(name)): as_json(item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return as_json(value._asdict())
    if isinstance(value, Set):
        return sorted(map(as_json, value))
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [as_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")
