"""Every result has one form in JSON, whichever face prints it."""

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest

from outrider.services.as_json import NOT_IN_JSON, as_json, json_name, list_as_json
from outrider.services.paging import ListPage, TotalIs
from outrider.urls import UrlKey


class Word(StrEnum):
    YES = "yes"


class Number(IntEnum):
    ONE = 1


class Other(Enum):
    PAUSE = timedelta(seconds=2)


class Pair(NamedTuple):
    left: int
    right: datetime


@dataclass(frozen=True, slots=True)
class Inner:
    at: datetime
    raw: bytes = b"left out"


@dataclass(frozen=True, slots=True)
class Outer:
    from_version: int = field(metadata=json_name("from"))
    secret: str = field(metadata=NOT_IN_JSON)
    inner: Inner | None = None


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "json_value"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("ä", "ä"),
        (Word.YES, "yes"),
        (Number.ONE, 1),
        (Other.PAUSE, 2.0),
        (NOON, "2026-01-01T12:00:00+00:00"),
        (datetime(2026, 1, 1, 13, 0, 0, 5, timezone(timedelta(hours=1))), "2026-01-01T12:00:00.000005+00:00"),
        (date(2026, 1, 1), "2026-01-01"),
        (timedelta(minutes=1, milliseconds=500), 60.5),
        (UrlKey(-7, "ab"), "-7:ab"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Path("a/b"), "a/b"),
        ((Word.YES, NOON), ["yes", "2026-01-01T12:00:00+00:00"]),
        ({Word.YES: NOON, 1: None}, {"yes": "2026-01-01T12:00:00+00:00", "1": None}),
        (frozenset(("b", "a")), ["a", "b"]),
        (Counter(a=1), {"a": 1}),
        (Pair(1, NOON), {"left": 1, "right": "2026-01-01T12:00:00+00:00"}),
        (Inner(NOON), {"at": "2026-01-01T12:00:00+00:00"}),
        (Outer(1, "hidden", Inner(NOON)), {"from": 1, "inner": {"at": "2026-01-01T12:00:00+00:00"}}),
    ],
)
def test_values(value, json_value):
    assert as_json(value) == json_value
    assert type(as_json(value)) is type(json_value)
    assert json.loads(json.dumps(as_json(value))) == json_value


@pytest.mark.parametrize(
    "value",
    [datetime(2026, 1, 1), object(), b"raw", Outer],
    ids=["time without zone", "object", "bytes", "type"],
)
def test_a_value_without_a_form_is_refused_and_not_guessed(value):
    with pytest.raises(TypeError):
        as_json([value])


def test_fields_keep_the_order_of_their_type():
    assert list(as_json(Outer(1, "hidden", None))) == ["from", "inner"]


def test_a_page_says_how_far_its_total_can_be_believed():
    page = ListPage(items=[Word.YES], total=9, limit=1, offset=3, total_is=TotalIs.AT_LEAST)

    assert as_json(page) == {"items": ["yes"], "total": 9, "limit": 1, "offset": 3, "total_is": "at_least"}
    assert list_as_json(page, "words") == {"total": 9, "words": ["yes"]}


def test_a_result_may_have_another_shape_than_its_fields():
    @dataclass
    class Priced:
        cents: int

        def json_form(self):
            return {"price": self.cents / 100, "at": datetime(2026, 5, 1, tzinfo=UTC)}

    assert as_json([Priced(150)]) == [{"price": 1.5, "at": "2026-05-01T00:00:00+00:00"}]
