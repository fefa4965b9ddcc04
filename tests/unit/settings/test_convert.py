"""What people write becomes the value, or a reason why not."""

import contextlib
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.options import setting
from outrider.settings.convert import convert
from outrider.settings.declared import DeclaredSetting, declared_settings


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def _even(text: str) -> int:
    if int(text) % 2:
        raise ValueError("give an even number")
    return int(text)


@dataclass(frozen=True, slots=True)
class Options:
    """One field of every kind."""

    name: str = field(default="", metadata=setting("OUTRIDER_NAME", "."))
    flag: bool = field(default=False, metadata=setting("OUTRIDER_FLAG", "."))
    count: int = field(default=1, metadata=setting("OUTRIDER_COUNT", ".", least=1, most=10))
    ratio: float = field(default=1.0, metadata=setting("OUTRIDER_RATIO", "."))
    pause_s: float = field(default=1.0, metadata=setting("OUTRIDER_PAUSE", ".", kind="duration"))
    wait: timedelta = field(
        default=timedelta(seconds=1), metadata=setting("OUTRIDER_WAIT", ".", least=1, most=7200)
    )
    delay_ms: int = field(default=1, metadata=setting("OUTRIDER_DELAY", ".", kind="milliseconds"))
    body: int = field(default=1, metadata=setting("OUTRIDER_BODY", ".", kind="size"))
    names: tuple[str, ...] = field(default=(), metadata=setting("OUTRIDER_NAMES", "."))
    place: Path | None = field(default=None, metadata=setting("OUTRIDER_PLACE", "."))
    colour: Colour = field(default=Colour.RED, metadata=setting("OUTRIDER_COLOUR", "."))
    even: int = field(default=2, metadata=setting("OUTRIDER_EVEN", ".", parse=_even))
    inner: int = 7


DECLARED: dict[str, DeclaredSetting] = {each.field: each for each in declared_settings("options", Options)}


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("name", " Outrider/1 ", "Outrider/1"),
        ("flag", "yes", True),
        ("flag", "OFF", False),
        ("flag", True, True),
        ("flag", 0, False),
        ("count", "10", 10),
        ("count", 3, 3),
        ("ratio", "0.25", 0.25),
        ("pause_s", "30", 30.0),
        ("pause_s", "500ms", 0.5),
        ("pause_s", "1m", 60.0),
        ("pause_s", "1h30m", 5400.0),
        ("pause_s", "1.5 s", 1.5),
        ("pause_s", 0, 0.0),
        ("wait", "2h", timedelta(hours=2)),
        ("wait", timedelta(minutes=1), timedelta(minutes=1)),
        ("delay_ms", "0.05", 50),
        ("delay_ms", "1s", 1000),
        ("body", "10MB", 10_000_000),
        ("body", "10 MiB", 10_485_760),
        ("body", "0.5kb", 500),
        ("body", 2048, 2048),
        ("names", "a, b,,c", ("a", "b", "c")),
        ("names", ["x{1,2}", "y"], ("x{1,2}", "y")),
        ("names", "", ()),
        ("place", "", None),
        ("place", "/srv/data", Path("/srv/data")),
        ("colour", "Blue", Colour.BLUE),
        ("even", "4", 4),
    ],
)
def test_a_usable_form_of_a_value_is_understood(name, raw, value):
    assert convert(raw, DECLARED[name]) == value


@pytest.mark.parametrize(
    ("name", "raw", "reason"),
    [
        ("flag", "maybe", "true or false"),
        ("count", "ten", "whole number"),
        ("count", "1.5", "whole number"),
        ("count", "0", "the least is 1"),
        ("count", "11", "the most is 10"),
        ("ratio", "nan", "a number"),
        ("ratio", "inf", "a number"),
        ("pause_s", "soon", "30s"),
        ("pause_s", "-1", "30s"),
        ("pause_s", "", "30s"),
        ("pause_s", "9" * 400, "30s"),
        ("pause_s", "1,500ms", "30s"),
        ("wait", "999999999w", "30s"),
        ("wait", "1d", "the most is 2h"),
        ("wait", "1ms", "the least is 1s"),
        ("body", "huge", "10MB"),
        ("body", "-1", "10MB"),
        ("colour", "green", "red, blue"),
        ("even", "3", "even"),
        ("place", "~nobody-of-this-name/data", "no such home"),
        ("count", {"a": 1}, "dict"),
        ("count", None, "NoneType"),
    ],
)
def test_an_unusable_value_says_what_would_do(name, raw, reason):
    with pytest.raises(ValueError, match=reason):
        convert(raw, DECLARED[name])


@given(st.sampled_from(sorted(DECLARED)), st.text(max_size=40))
def test_no_text_raises_anything_but_value_error(name, text):
    with contextlib.suppress(ValueError):
        convert(text, DECLARED[name])


@given(st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(hours=2)))
def test_a_duration_shown_can_be_read_back(wait):
    assert convert(DECLARED["wait"].say(wait), DECLARED["wait"]) == wait


@given(st.integers(min_value=0, max_value=2**40))
def test_a_size_shown_can_be_read_back(count):
    assert convert(DECLARED["body"].say(count), DECLARED["body"]) == count


def test_a_field_without_setting_is_not_offered():
    assert "inner" not in DECLARED
