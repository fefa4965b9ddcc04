"""Schemas of results say what `as_json` prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from uuid import UUID, uuid4

from jsonschema_rs import Draft202012Validator

from outrider.services.as_json import NOT_IN_JSON, as_json, json_name
from outrider.services.paging import CursorPage
from outrider.web.answers import list_body
from outrider.web.schemas import Schemas


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Wheel:
    spokes: int
    parent: "Wheel | None" = None


@dataclass(frozen=True, slots=True)
class Cart:
    id: UUID
    colour: Colour | None
    wheels: Sequence[Wheel]
    made_at: datetime
    lasts: timedelta
    notes: Mapping[str, int]
    raw: bytes = b""
    secret: str = field(default="", metadata=NOT_IN_JSON)
    kind: str = field(default="x", metadata=json_name("type"))


CART = Cart(uuid4(), Colour.RED, [Wheel(3, Wheel(4))], datetime.now(UTC), timedelta(1), {"a": 1})


def _validator(kind):
    schemas = Schemas()
    schema = schemas.of(kind)
    return Draft202012Validator({**schema, "components": {"schemas": schemas.named}}), schemas


def test_what_is_printed_fits_the_schema():
    validator, schemas = _validator(Cart)

    assert list(validator.iter_errors(as_json(CART))) == []
    assert set(schemas.named["Cart"]["properties"]) == set(as_json(CART))
    assert schemas.named["Cart"]["required"] == list(schemas.named["Cart"]["properties"])


def test_what_is_wrong_does_not_fit():
    validator, _ = _validator(Cart)

    for wrong in (
        {"colour": "blue"},
        {"lasts": "a day"},
        {"wheels": [{"spokes": "3"}]},
        {"notes": {"a": "b"}},
    ):
        assert list(validator.iter_errors(as_json(CART) | wrong)), wrong


def test_a_list_has_its_items_total_and_cursor():
    validator, _ = _validator(CursorPage[Wheel])
    body = list_body(CursorPage([Wheel(1)], 1, 50, 0, next=None))

    assert list(validator.iter_errors(body)) == []
    assert list(validator.iter_errors({**body, "total": None}))
