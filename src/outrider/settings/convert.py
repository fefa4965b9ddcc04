"""Convert the text or TOML value of a setting to the value of its field."""

import math
import re
from datetime import timedelta
from enum import Enum
from pathlib import Path
from typing import Any

from outrider.durations import seconds_of
from outrider.settings.declared import DeclaredSetting

_UNIT_BYTES = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s*([kmg]i?b|b)?", re.IGNORECASE)

_FLAGS = dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True) | dict.fromkeys(
    ("0", "false", "no", "off", "f", "n"), False
)


def convert(raw: object, declared: DeclaredSetting) -> Any:
    """The value of the field. Raises ValueError whose message completes "this is not usable: …"."""
    text = _as_text(raw)
    if declared.optional and not text.strip():
        return None
    if declared.setting.parse is not None:
        return declared.setting.parse(text)
    if declared.kind == "list":
        return _items(raw, text)
    value = _convert_text(text.strip(), declared)
    _check_bounds(value, declared)
    return value


def _as_text(raw: object) -> str:
    match raw:
        case str():
            return raw
        case bool():
            return "true" if raw else "false"
        case int() | float() | Path():
            return str(raw)
        case timedelta():
            return f"{raw.total_seconds()}s"
        case list() | tuple():
            return ",".join(_as_text(item) for item in raw)
    raise ValueError(f"a {type(raw).__name__} cannot be used here")


def _items(raw: object, text: str) -> tuple[str, ...]:
    # A list from the file or from repeated options is already split: its items may contain commas.
    items = [_as_text(item) for item in raw] if isinstance(raw, list | tuple) else text.split(",")
    return tuple(stripped for item in items if (stripped := item.strip()))


def _convert_text(text: str, declared: DeclaredSetting) -> Any:
    match declared.kind:
        case "text":
            return text
        case "flag":
            return _flag(text)
        case "count":
            return _whole(text)
        case "number":
            return _number(text)
        case "duration":
            seconds = _seconds(text)
            return timedelta(seconds=seconds) if declared.type is timedelta else declared.type(seconds)
        case "milliseconds":
            return round(_seconds(text) * 1000)
        case "size":
            return _bytes(text)
        case "path":
            return _path(text)
        case "choice":
            return _choice(text, declared.type)
    raise ValueError(f"nothing can be read as {declared.kind}")


def _flag(text: str) -> bool:
    if (value := _FLAGS.get(text.lower())) is None:
        raise ValueError("give true or false")
    return value


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?\d[\d_]{0,17}", text):
        raise ValueError("give a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError("give a number")
    return value


def _seconds(text: str) -> float:
    try:
        return seconds_of(text)
    except ValueError:
        raise ValueError(
            "give a duration such as 30s, 500ms, 5m or 1h30m; a bare number is seconds"
        ) from None


def _bytes(text: str) -> int:
    if (found := _SIZE.fullmatch(text)) is None:
        raise ValueError("give a size such as 10MB or 512KiB; a bare number is bytes")
    return round(float(found[1]) * _UNIT_BYTES[(found[2] or "").lower()])


def _path(text: str) -> Path:
    if not text:
        raise ValueError("give a path")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError("there is no such home directory") from error


def _choice(text: str, choices: type[Enum]) -> Enum:
    try:
        return choices(text.lower())
    except ValueError:
        raise ValueError("give one of " + ", ".join(str(member.value) for member in choices)) from None


def _check_bounds(value: Any, declared: DeclaredSetting) -> None:
    least, most = declared.setting.least, declared.setting.most
    size = value.total_seconds() if isinstance(value, timedelta) else value
    if least is not None and size < least:
        raise ValueError(f"the least is {declared.say(least)}")
    if most is not None and size > most:
        raise ValueError(f"the most is {declared.say(most)}")
