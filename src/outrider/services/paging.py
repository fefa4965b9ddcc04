"""Filters, order and paging of lists. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import UnionType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from outrider.errors import InvalidInput
from outrider.services.cursor import FIRST_PAGE

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
F = TypeVar("F")

DEFAULT_LIMIT = 50
MOST_ITEMS = 10_000  # of one page
MOST_SHOWN = 200  # characters of a wrong value that an error repeats

_YES_OR_NO = {"true": True, "false": False}


class TotalIs(StrEnum):
    """Whether the total of a list is exact."""

    EXACT = "exact"
    ESTIMATE = "estimate"
    AT_LEAST = "at_least"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The part of a list to return."""

    limit: int = DEFAULT_LIMIT
    offset: int = 0
    after: str | None = None  # the cursor of the page before; only lists of `CursorPage` take one

    @property
    def cursor(self) -> str | None:
        """The cursor; None for the first page."""
        return None if self.after == FIRST_PAGE else self.after

    def checked(self, most_items: int = MOST_ITEMS, most_offset: int | None = None) -> "PageRequest":
        """The same request; raises InvalidInput if a number is out of range."""
        if self.after is not None and self.offset:
            raise InvalidInput("give a cursor or an offset, not both: the cursor says where the page begins")
        if not 1 <= self.limit <= most_items:
            raise InvalidInput(f"limit is a number from 1 to {most_items:,}, not {self.limit}")
        if self.offset < 0 or (most_offset is not None and self.offset > most_offset):
            bound = "or more" if most_offset is None else f"to {most_offset:,}"
            raise InvalidInput(f"offset is a number from 0 {bound}, not {self.offset}")
        return self


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A part of a list, and how many items the whole list has."""

    items: Sequence[T]
    total: int
    limit: int
    offset: int
    total_is: TotalIs = TotalIs.EXACT


@dataclass(frozen=True, slots=True)
class CursorPage(ListPage[T]):
    """A part of a list of any length. `next` is the cursor of the next page, None at the end."""

    next: str | None = None


def read_filters(kind: type[F], given: Mapping[str, str]) -> F:
    """The filters of a list from names and texts, by the fields of the dataclass `kind`.

    Raises InvalidInput for an unknown name: a misspelt filter must not let everything through.
    """
    allowed = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    refuse_unknown("filter", given, allowed)
    types = get_type_hints(kind)
    return kind(**{name: _read(name, text, types[name]) for name, text in given.items()})


def read_sort(orders: type[E], named: str) -> E:
    """The order of that name; raises InvalidInput with the valid names."""
    refuse_unknown("sort", [named], [each.value for each in orders])
    return orders(named)


def refuse_unknown(what: str, given: Collection[str], allowed: Sequence[str]) -> None:
    """Raise InvalidInput, with the allowed names, for the first name that is not allowed."""
    for name in given:
        if name not in allowed:
            raise InvalidInput(f"there is no {what} {name[:MOST_SHOWN]!r}, only {', '.join(allowed)}")


def _read(name: str, text: str, kind: Any) -> Any:
    kinds = (
        [each for each in get_args(kind) if each is not type(None)] if isinstance(kind, UnionType) else [kind]
    )
    wanted = kinds[0]
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        refuse_unknown(f"value of {name}", [text], [each.value for each in wanted])
        return wanted(text)
    if wanted is bool:
        refuse_unknown(f"value of {name}", [text], list(_YES_OR_NO))
        return _YES_OR_NO[text]
    if wanted is int:
        try:
            return int(text)
        except ValueError:
            raise InvalidInput(f"{name} is a whole number, not {text[:MOST_SHOWN]!r}") from None
    return text
