"""Converts the plain values of a command line without pydantic.

Typer converts every value with pydantic, whose import takes 50 ms, a third of a short command. Most
values are text, a path or a number, or were not given at all. Typer converts all others, and writes every
message about a wrong value.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

_NOT_PLAIN = object()
_LONGEST_NUMBER = 10  # digits


class PlainCommand(TyperCommand):
    """A command that converts plain values itself."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain_first(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """The same for a command with subcommands."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain_first(super().get_params(ctx))


def _plain_first(parameters: list[Any]) -> list[Any]:
    """The same options and arguments, also those that Typer adds."""
    for parameter in parameters:
        own = getattr(parameter, "get_runtime_param", None)
        if own is not None and not isinstance(own, _PlainFirst):
            parameter.get_runtime_param = _PlainFirst(own)
    return parameters


class _PlainFirst:
    """In place of the method of a parameter that says what converts its value."""

    def __init__(self, typers_own: Callable[[], Any]) -> None:
        self._typers_own = typers_own

    def __call__(self) -> "_PlainFirst":
        return self

    def coerce(self, value: Any, *, param: Any, ctx: typer.Context) -> Any:
        plain = _plain(value, param)
        return self._typers_own().coerce(value, param=param, ctx=ctx) if plain is _NOT_PLAIN else plain


def _plain(value: Any, parameter: Any) -> Any:
    """The converted value, if that takes no more than is done here."""
    if value is None:
        return () if parameter.multiple or parameter.nargs == -1 else None
    kind, info = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    if info.parser is not None:
        return _NOT_PLAIN
    if kind == list[str]:
        return list(value) if isinstance(value, list | tuple) and all(map(_is_text, value)) else _NOT_PLAIN
    if kind is int and _is_number(value):
        number = int(value)
        is_within = (info.min is None or number >= info.min) and (info.max is None or number <= info.max)
        return number if is_within else _NOT_PLAIN
    if kind is Path and _is_text(value) and _needs_no_look(value, info):
        return Path(value)
    if kind is str:
        return value if _is_text(value) else _NOT_PLAIN
    is_default = isinstance(kind, type) and type(value) is kind  # it was not given
    return value if is_default else _NOT_PLAIN


def _is_text(value: Any) -> bool:
    """Whether it is a text without bytes that are no characters."""
    return type(value) is str and value.isprintable()


def _is_number(value: Any) -> bool:
    return type(value) is str and value.isascii() and value.isdecimal() and len(value) < _LONGEST_NUMBER


def _needs_no_look(path: str, info: Any) -> bool:
    """Whether Typer would accept the path as it is."""
    if info.exists or info.resolve_path or info.allow_dash or info.writable:
        return False
    takes_any = info.file_okay and info.dir_okay and info.path_type is None
    return takes_any and (os.access(path, os.R_OK) or not os.path.exists(path))  # noqa: PTH110 (no Path yet)
