"""Lists of sources as XLSX: the first sheet, as text. Nothing is computed, and no link is followed.

Outrider has its own reader because it needs only the text of cells. An XLSX file is a ZIP of XML files; each
is read as a stream with a limit on its unpacked size.
"""

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from posixpath import join, normpath
from zipfile import BadZipFile, ZipFile

from outrider.errors import InvalidInput
from outrider.sources.headers import read_table
from outrider.sources.rows import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, ImportRows
from outrider.sources.safe_xml import walk

LARGEST_MEMBER = 64 << 20
MOST_STRINGS = 500_000
_CHUNK = 1 << 16
_COLUMN = re.compile(r"([A-Z]{1,3})\d*")
_WHAT = "the spreadsheet"
# What zipfile raises for a damaged archive.
_UNREADABLE = (
    BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
)


def read_xlsx(content: bytes) -> ImportRows:
    """Raises InvalidInput if the content cannot be read as a spreadsheet."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            strings = _Strings()
            if "xl/sharedStrings.xml" in archive.namelist():
                walk(
                    _unpack(archive, "xl/sharedStrings.xml"), strings.start, strings.end, strings.text, _WHAT
                )
            sheet = _Sheet(strings.found)
            walk(_unpack(archive, _first_sheet(archive)), sheet.start, sheet.end, sheet.text, _WHAT)
    except _UNREADABLE as error:
        raise InvalidInput(f"this cannot be read as an XLSX file: {error}") from error
    return read_table(sheet.lines)


def _unpack(archive: ZipFile, name: str) -> Iterator[bytes]:
    """The content of one file in the archive. The limit does not rely on the declared size."""
    left = LARGEST_MEMBER
    with archive.open(name) as member:
        while chunk := member.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise InvalidInput(
                    f"{name} in the spreadsheet unpacks to more than {LARGEST_MEMBER >> 20} MB"
                )
            yield chunk


def _first_sheet(archive: ZipFile) -> str:
    """The path of the first sheet in the archive."""
    book, relations = _Attributes("sheet", "id"), _Attributes("Relationship", "Id", "Target")
    walk(_unpack(archive, "xl/workbook.xml"), book.start, _nothing, _nothing, _WHAT)
    walk(_unpack(archive, "xl/_rels/workbook.xml.rels"), relations.start, _nothing, _nothing, _WHAT)
    targets = {each["Id"]: each["Target"] for each in relations.found}
    if not book.found or book.found[0]["id"] not in targets:
        raise InvalidInput("the spreadsheet has no sheet")
    target = targets[book.found[0]["id"]]
    return target.lstrip("/") if target.startswith("/") else normpath(join("xl", target))


def _nothing(_: str) -> None:
    """A callback that ignores its event."""


class _Attributes:
    """Collects the named attributes of one kind of element."""

    def __init__(self, element: str, *names: str) -> None:
        self._element = element
        self._names = names
        self.found: list[dict[str, str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == self._element and len(self.found) < MOST_COLUMNS:
            self.found.append({each: attributes.get(each, "") for each in self._names})


class _Strings:
    """The table of shared strings that cells refer to."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._text: list[str] = []
        self._is_open = False
        self._phonetic = False

    def start(self, name: str, _: Mapping[str, str]) -> None:
        if name == "si":
            self._text = []
        elif name == "rPh":  # the pronunciation of an East Asian text, not part of the text
            self._phonetic = True
        self._is_open = name == "t" and not self._phonetic

    def text(self, text: str) -> None:
        if self._is_open:
            self._text.append(text)

    def end(self, name: str) -> None:
        self._is_open = False
        if name == "rPh":
            self._phonetic = False
        elif name == "si":
            if len(self.found) >= MOST_STRINGS:
                raise InvalidInput(f"the spreadsheet has more than {MOST_STRINGS:,} texts")
            self.found.append("".join(self._text)[:LONGEST_CELL])


class _Sheet:
    """The cells of a sheet, row by row."""

    def __init__(self, strings: Sequence[str]) -> None:
        self.lines: list[tuple[int, list[str]]] = []
        self._strings = strings
        self._cells: list[str] = []
        self._number = 0
        self._column = 0
        self._type = ""
        self._text: list[str] = []
        self._is_open = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "row":
                given = attributes.get("r", "")
                self._number = int(given) if given.isascii() and given.isdigit() else self._number + 1
                self._cells, self._column = [], 0
            case "c":
                self._column = _column(attributes.get("r", ""), self._column)
                self._type, self._text = attributes.get("t", "n"), []
        self._is_open = name in ("v", "t")

    def text(self, text: str) -> None:
        if self._is_open:
            self._text.append(text)

    def end(self, name: str) -> None:
        self._is_open = False
        if name == "c":
            if self._column < MOST_COLUMNS:
                self._cells += [""] * (self._column - len(self._cells))
                self._cells[self._column :] = [self._value()]
            self._column += 1
        elif name == "row" and self._cells:
            if len(self.lines) > MOST_ROWS:
                raise InvalidInput(f"there are more than {MOST_ROWS:,} rows: split the file")
            self.lines.append((self._number, self._cells))

    def _value(self) -> str:
        text = "".join(self._text)[:LONGEST_CELL]
        match self._type:
            case "s":
                place = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
                return self._strings[place] if 0 <= place < len(self._strings) else ""
            case "b":
                return "yes" if text == "1" else "no"
            case "e":
                return ""
            case _:
                return text


def _column(reference: str, following: int) -> int:
    """The index of a column: 2 for `C7`, and `following` without a reference."""
    found = _COLUMN.fullmatch(reference)
    if found is None:
        return following
    place = 0
    for letter in found[1]:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1
