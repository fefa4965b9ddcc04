"""Rows of an import file, whatever the file was, and the limits that all of them share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LARGEST_FILE = 16 << 20
MOST_ROWS = 20_000
MOST_COLUMNS = 200
LONGEST_CELL = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """What one row says, by the names of `fields.FIELDS`; `place` is how a person finds it in the file."""

    place: str
    said: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Rows:
    """All of them, and what there is to say about the file as a whole."""

    rows: Sequence[Row]
    notes: Sequence[str] = field(default_factory=tuple)
