"""The rows of an import file in any format, and the limits that all formats share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LARGEST_FILE = 16 << 20
MOST_ROWS = 20_000
MOST_COLUMNS = 200
LONGEST_CELL = 100_000


@dataclass(frozen=True, slots=True)
class ImportRow:
    """The values of one row by the names in `fields.FIELDS`, and its place in the file for messages."""

    place: str
    values: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class ImportRows:
    """All rows of a file, and notes about the whole file."""

    rows: Sequence[ImportRow]
    notes: Sequence[str] = field(default_factory=tuple)
