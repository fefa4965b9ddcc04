"""Read results of use cases back from their JSON: the inverse of `as_json`. Pure.

A result whose JSON has another shape than its fields (`json_form`) has a class method `from_json_form`.
"""

import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from outrider.errors import OutriderError
from outrider.services.as_json import HasJsonForm, json_name_of
from outrider.urls import UrlKey

T = TypeVar("T")


class OtherShape(OutriderError):
    """The JSON is not that of the wanted type: another version wrote it."""


def from_json(kind: type[T], value: Any) -> T:
    """A value of `kind` from its JSON. Names that the type does not have are ignored.

    Raises OtherShape if a name is missing or a value has another type.
    """
    try:
        return cast(T, _read(kind, value))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise OtherShape(f"no {getattr(kind, '__name__', kind)}: {type(error).__name__} {error}") from error


def fields_from_json(kind: type[T], value: Mapping[str, Any]) -> T:
    """A dataclass by its fields, also if it has a JSON form of its own."""
    return cast(T, _fields(kind, value))


def _read(kind: Any, value: Any) -> Any:
    if kind is Any or kind is object:
        return value
    if kind is None or kind is types.NoneType:
        if value is not None:
            raise OtherShape("a value in place of null")
        return None
    origin = get_origin(kind)
    if origin is Annotated:
        return _read(get_args(kind)[0], value)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(kind), value)
    if origin is not None:
        return _collection(origin, get_args(kind), value)
    if isinstance(kind, type):
        return _simple(kind, value)
    raise OtherShape(f"{kind} cannot be read from JSON")


def _one_of(kinds: Sequence[Any], value: Any) -> Any:
    """The first kind that the value can be; an absent value is nothing else than None."""
    if value is None:
        return _read(types.NoneType if types.NoneType in kinds else kinds[0], None)
    for kind in kinds:
        try:
            return _read(kind, value)
        except (OtherShape, KeyError, ValueError, TypeError):
            continue
    raise OtherShape("a value of no expected type")


def _simple(kind: type, value: Any) -> Any:
    if issubclass(kind, Enum):
        return _member(kind, value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind in (bool, int, float, str):
        if type(value) is not kind:
            raise OtherShape(f"{type(value).__name__} in place of {kind.__name__}")
        return value
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is date:
        return date.fromisoformat(value)
    if kind is timedelta:
        return timedelta(seconds=value)
    if kind is UrlKey:
        host_id, _, key = value.partition(":")
        return UrlKey(int(host_id), key)
    if kind is UUID:
        return UUID(value)
    if issubclass(kind, PurePath):
        return Path(value)
    if issubclass(kind, HasJsonForm):
        return kind.from_json_form(value)  # type: ignore[attr-defined]
    if is_dataclass(kind):
        return _fields(kind, value)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = _hints(kind)
        return kind(**{name: _read(hints[name], value[name]) for name in kind._fields})
    if issubclass(kind, Mapping):
        return dict(value)
    if issubclass(kind, Sequence):
        return list(value)
    raise OtherShape(f"{kind.__name__} cannot be read from JSON")


def _member(kind: type[Enum], value: Any) -> Enum:
    """The member whose value has this JSON; a label or a sentence beside the value is no part of it."""
    for member in kind:
        if member.value == value and type(member.value) is type(value):
            return member
    raise OtherShape(f"{value!r} is no {kind.__name__}")


def _fields(kind: Any, value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise OtherShape(f"{type(value).__name__} in place of an object")
    hints = _hints(kind)
    given = ((each, json_name_of(each)) for each in fields(kind) if each.init)
    return kind(
        **{
            each.name: _read(hints[each.name], value[name]) if name in value else _absent(kind, each, hints)
            for each, name in given
            if name in value or (each.default is MISSING and each.default_factory is MISSING)
        }
    )


def _absent(kind: Any, each: "Field[Any]", hints: Mapping[str, Any]) -> Any:
    if hints[each.name] is bytes:  # JSON leaves raw bytes out
        return b""
    raise OtherShape(f"{kind.__name__} has no {each.name}")


def _collection(origin: Any, kinds: tuple[Any, ...], value: Any) -> Any:
    if issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise OtherShape(f"{type(value).__name__} in place of an object")
        return {_key(kinds[0], name): _read(kinds[1], item) for name, item in value.items()}
    if not isinstance(value, list):
        raise OtherShape(f"{type(value).__name__} in place of a list")
    if origin is tuple:
        if kinds[-1] is not Ellipsis:
            return tuple(_read(kind, item) for kind, item in zip(kinds, value, strict=True))
        return tuple(_read(kinds[0], item) for item in value)
    if issubclass(origin, Set):
        return frozenset(_read(kinds[0], item) for item in value)
    return [_read(kinds[0], item) for item in value]


def _key(kind: Any, name: str) -> Any:
    """A key of an object; JSON has only texts."""
    return int(name) if kind is int else _read(kind, name)


@lru_cache(maxsize=512)
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
