"""Reads and checks a file of sources row by row. Pure; `watch/bulk.py` writes the rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outrider.errors import InvalidInput
from outrider.sources.csv_file import read_csv
from outrider.sources.json_file import read_json
from outrider.sources.opml import read_opml
from outrider.sources.rows import LARGEST_FILE, ImportRow, ImportRows
from outrider.sources.source_changes import SourceChanges, read_changes
from outrider.sources.xlsx_file import read_xlsx
from outrider.urls import origin_of

_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
ADDRESS = "address"
_MARKS = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True)
class ImportCandidate:
    """One row: its changes, or the problems that refuse it."""

    place: str
    changes: SourceChanges
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    twin: str | None = None  # an earlier row with the same address and another name


@dataclass(frozen=True, slots=True)
class ImportFile:
    """All rows of a file, and notes about the whole file."""

    candidates: Sequence[ImportCandidate]
    notes: Sequence[str] = ()


def read_import(content: bytes) -> ImportFile:
    """Read CSV, XLSX, OPML or JSON; raises InvalidInput for any other file."""
    rows = _rows(content)
    candidates: list[ImportCandidate] = []
    first: dict[tuple[str, str], str] = {}  # identity of a source → its first row
    at: dict[str, str] = {}  # address → its first row
    for row in rows.rows:
        candidate = _candidate(row)
        candidates.append(candidate if candidate.problems else _compared(candidate, first, at))
    return ImportFile(candidates, rows.notes)


def _compared(row: ImportCandidate, first: dict[tuple[str, str], str], at: dict[str, str]) -> ImportCandidate:
    """The row, with a problem if an earlier row is the same source, or a note if it is the same site."""
    key = _known_by(row.changes)
    if (before := first.setdefault(key, row.place)) != row.place:
        problem = f"{key[0]}: the same as in {before}: write another, or delete one of the two"
        return replace(row, problems=(problem,))
    before = at.setdefault(row.changes.url or "", row.place)
    if before == row.place or key[0] == ADDRESS:
        return row
    note = f"url: the same as in {before}: two sources of one site share its feeds"
    return replace(row, twin=before, notes=(*row.notes, note))


def _known_by(changes: SourceChanges) -> tuple[str, str]:
    if changes.identity_key:
        return "identity_key", changes.identity_key
    return ("name", changes.name) if changes.name else (ADDRESS, changes.url or "")


def _rows(content: bytes) -> ImportRows:
    if len(content) > LARGEST_FILE:
        raise InvalidInput(f"the file is larger than {LARGEST_FILE >> 20} MB: split it")
    if content.startswith(_ZIP):
        return read_xlsx(content)
    if content.startswith(_OLD_EXCEL):
        raise InvalidInput("this is an old Excel file: save it as XLSX or CSV")
    if content.lstrip(_MARKS).startswith(b"<") or content.startswith((b"\xff\xfe<", b"\xfe\xff\0<")):
        return read_opml(content)
    if content.lstrip(_MARKS).startswith((b"[", b"{")):
        return read_json(content)
    return read_csv(content)


def _candidate(row: ImportRow) -> ImportCandidate:
    reading = read_changes(row.values)
    changes, problems = reading.changes, reading.problems
    if "url" not in row.values and "feed" not in row.values:
        problems = (*problems, "url: there is none: write the site's address, such as https://example.com")
    elif changes.url is None and changes.feeds:
        changes = replace(
            changes, url=origin_of(changes.feeds[0]) + "/"
        )  # a feed belongs to the site it lies on
    return ImportCandidate(row.place, changes, problems, reading.notes)
