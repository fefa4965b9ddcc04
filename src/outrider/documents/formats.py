"""Rows as files: JSON lines, CSV that is safe to open in a spreadsheet, and Parquet."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Any, Protocol

from outrider.documents.export import Column, ColumnKind, Row

if TYPE_CHECKING:
    from pyarrow import Schema  # type: ignore[import-untyped]

ROW_GROUP = 10_000
ROW_GROUP_CHARACTERS = 64 << 20

# A spreadsheet runs cells that begin with one of these as formulas (SEC-14), also after white space.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Format(StrEnum):
    """The file formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


class Writer(Protocol):
    """Writes rows to a file; `finish` writes the rows that are still buffered."""

    def write(self, rows: Sequence[Row]) -> None: ...

    def finish(self) -> None: ...


def writer_for(form: Format, columns: Sequence[Column], file: IO[bytes]) -> Writer:
    makers: dict[Format, Callable[[Sequence[Column], IO[bytes]], Writer]] = {
        Format.JSONL: JsonLines,
        Format.CSV: Csv,
        Format.PARQUET: Parquet,
    }
    return makers[form](columns, file)


class JsonLines:
    """One object a line."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        self._names = [column.name for column in columns]
        self._file = file

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            line = json.dumps(dict(zip(self._names, row, strict=True)), ensure_ascii=False, default=_time)
            self._file.write(line.encode() + b"\n")

    def finish(self) -> None:
        self._file.flush()


class Csv:
    """RFC 4180 with a header, in UTF-8; no cell is a formula."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        self._file = file
        self._write([[column.name for column in columns]])

    def write(self, rows: Sequence[Row]) -> None:
        self._write([[_cell(value) for value in row] for row in rows])

    def finish(self) -> None:
        self._file.flush()

    def _write(self, rows: Sequence[Sequence[object]]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        self._file.write(text.getvalue().encode())


class Parquet:
    """Columns in row groups of bounded size."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]

        self._schema = _schema(columns)
        self._writer = ParquetWriter(file, self._schema, compression="zstd")
        self._objects = frozenset(n for n, column in enumerate(columns) if column.kind is ColumnKind.JSON)
        self._buffered: list[Row] = []
        self._characters = 0

    def write(self, rows: Sequence[Row]) -> None:
        if self._objects:
            rows = [
                tuple(_as_text(value) if n in self._objects else value for n, value in enumerate(row))
                for row in rows
            ]
        self._buffered += rows
        self._characters += sum(len(value) for row in rows for value in row if isinstance(value, str))
        if len(self._buffered) >= ROW_GROUP or self._characters >= ROW_GROUP_CHARACTERS:
            self._write_group()

    def finish(self) -> None:
        if self._buffered:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        import pyarrow

        values = zip(*self._buffered, strict=True)
        arrays = [pyarrow.array(list(of), kind) for of, kind in zip(values, self._schema.types, strict=True)]
        self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
        self._buffered, self._characters = [], 0


def harmless(text: str) -> str:
    """A text that is safe in a spreadsheet: no formula, no control characters except line breaks and tabs."""
    text = _CONTROL.sub("", text)
    return f"'{text}" if _FORMULA.match(text) else text


def _cell(value: Any) -> object:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return harmless(_as_text(value) or "")
    return _time(value) if isinstance(value, datetime) else value


def _as_text(value: Any) -> str | None:
    """An object as JSON text, for formats without objects."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _schema(columns: Sequence[Column]) -> "Schema":
    import pyarrow

    kinds = {
        ColumnKind.TEXT: pyarrow.string(),
        ColumnKind.INTEGER: pyarrow.int64(),
        ColumnKind.FLAG: pyarrow.bool_(),
        ColumnKind.TIME: pyarrow.timestamp("us", tz="UTC"),
        ColumnKind.JSON: pyarrow.string(),
    }
    return pyarrow.schema([(column.name, kinds[column.kind]) for column in columns])
