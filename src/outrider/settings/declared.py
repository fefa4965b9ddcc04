"""The declarations of settings, read from the options dataclasses of the packages."""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from datetime import timedelta
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from outrider.options import Kind, Setting, setting_of
from outrider.settings.show import show

_KIND_OF_TYPE: dict[type, Kind] = {
    str: "text",
    bool: "flag",
    int: "count",
    float: "number",
    timedelta: "duration",
    Path: "path",
    tuple: "list",
}


@dataclass(frozen=True, slots=True)
class DeclaredSetting:
    """One field of one options dataclass that is a setting."""

    section: str
    field: str
    setting: Setting
    type: type[Any]
    optional: bool
    default: Any
    is_computed: bool  # the default depends on the machine

    @property
    def kind(self) -> Kind:
        if self.setting.kind is not None:
            return self.setting.kind
        if issubclass(self.type, Enum):
            return "choice"
        return _KIND_OF_TYPE.get(self.type, "text")

    def say(self, value: Any) -> str:
        """`value` as the environment would have it, secrets masked."""
        return show(value, self.kind, secret=self.setting.secret)


def declared_settings(section: str, options: type) -> Iterator[DeclaredSetting]:
    """The settings of one options dataclass, in the order it lists them."""
    hints = get_type_hints(options)
    for each in fields(options):
        if (setting := setting_of(each.metadata)) is None:
            continue
        is_computed = each.default_factory is not MISSING
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        bare, optional = _bare(hints[each.name])
        yield DeclaredSetting(section, each.name, setting, bare, optional, default, is_computed)


def _bare(hint: Any) -> tuple[type[Any], bool]:
    """The plain class behind `X | None` or `tuple[str, ...]`, and whether None is allowed."""
    if get_origin(hint) in (Union, UnionType):
        members = [member for member in get_args(hint) if member is not NoneType]
        return _bare(members[0])[0], len(members) < len(get_args(hint))
    return get_origin(hint) or hint, False
