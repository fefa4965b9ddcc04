"""Lists of sources as CSV, in the dialects that spreadsheets write."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO

from outrider.errors import InvalidInput
from outrider.sources.headers import read_table
from outrider.sources.rows import MOST_COLUMNS, ImportRows

_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
# Exports write an apostrophe before a cell that looks like a formula, so that no program runs it (SEC-14).
_NEUTRALISED = re.compile(r"'(?=\s*[=+\-@])")


def read_csv(content: bytes) -> ImportRows:
    """Raises InvalidInput if the content cannot be read as a table."""
    text = _decode(content)
    if "\0" in text:
        raise InvalidInput("this is no text file: save the list as CSV, XLSX or OPML")
    try:
        return read_table(_lines(text))
    except csv.Error as error:
        raise InvalidInput(f"this cannot be read as CSV: {error}") from error


def _lines(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    first = 1
    for cells in reader:
        yield first, [_NEUTRALISED.sub("", cell, count=1) for cell in cells[:MOST_COLUMNS]]
        first = reader.line_num + 1


def _delimiter(text: str) -> str:
    """The delimiter of the header row."""
    header = _QUOTED.sub("", next((line for line in text[:10_000].splitlines() if line.strip()), ""))
    return max(_DELIMITERS, key=header.count)


def _decode(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")  # what spreadsheets on Windows write
