"""Rows as files: what a reader of each format gets back."""

import csv
import io
import json
from datetime import UTC, datetime

import pyarrow.parquet
import pytest

from outrider.documents.export import Column, ColumnKind
from outrider.documents.formats import ROW_GROUP, ROW_GROUP_CHARACTERS, Format, harmless, writer_for

AT = datetime(2026, 5, 1, 12, 0, 0, 5, tzinfo=UTC)
COLUMNS = (
    Column("title"),
    Column("words", ColumnKind.INTEGER),
    Column("is_old", ColumnKind.FLAG),
    Column("at", ColumnKind.TIME),
    Column("metadata", ColumnKind.JSON),
)
METADATA = {"intro": "é 😀", "raw": [{"a": 1}]}
ROWS = [('a, "b"\nc 😀', -5, True, AT, METADATA), (None, None, None, None, None)]


def written(form: Format, rows=ROWS) -> bytes:
    file = io.BytesIO()
    writer = writer_for(form, COLUMNS, file)
    writer.write(rows)
    writer.finish()
    return file.getvalue()


def test_json_lines_hold_one_object_each():
    first, second = written(Format.JSONL).splitlines()

    assert json.loads(first) == {
        "title": 'a, "b"\nc 😀',
        "words": -5,
        "is_old": True,
        "at": "2026-05-01T12:00:00.000005Z",
        "metadata": METADATA,
    }
    assert json.loads(second) == dict.fromkeys(("title", "words", "is_old", "at", "metadata"))


def test_csv_has_a_header_and_keeps_what_cells_hold():
    rows = list(csv.reader(io.StringIO(written(Format.CSV).decode(), newline="")))

    assert rows == [
        ["title", "words", "is_old", "at", "metadata"],
        [
            'a, "b"\nc 😀',
            "-5",
            "true",
            "2026-05-01T12:00:00.000005Z",
            '{"intro": "é 😀", "raw": [{"a": 1}]}',
        ],
        ["", "", "", "", ""],
    ]


def test_parquet_keeps_types_and_writes_groups_of_bounded_size():
    rows = [(str(number), number, False, AT, METADATA) for number in range(ROW_GROUP + 1)]
    file = io.BytesIO()
    writer = writer_for(Format.PARQUET, COLUMNS, file)
    for start in range(0, len(rows), 1000):
        writer.write(rows[start : start + 1000])
    writer.finish()

    read = pyarrow.parquet.ParquetFile(file)
    assert read.num_row_groups == 2
    assert read.read().to_pylist()[-1] == {
        "title": str(ROW_GROUP),
        "words": ROW_GROUP,
        "is_old": False,
        "at": AT,
        "metadata": '{"intro": "é 😀", "raw": [{"a": 1}]}',
    }


def test_large_metadata_ends_a_row_group_of_parquet():
    row = (None, None, None, None, {"raw": "x" * (ROW_GROUP_CHARACTERS // 4)})
    file = io.BytesIO()
    writer = writer_for(Format.PARQUET, COLUMNS, file)
    for _ in range(8):
        writer.write([row])
    writer.finish()

    assert pyarrow.parquet.ParquetFile(file).num_row_groups == 2


def test_a_file_without_rows_still_has_its_columns():
    assert written(Format.CSV, []) == b"title,words,is_old,at,metadata\r\n"
    assert pyarrow.parquet.read_table(io.BytesIO(written(Format.PARQUET, []))).column_names == [
        "title",
        "words",
        "is_old",
        "at",
        "metadata",
    ]


@pytest.mark.parametrize(
    "formula",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r\n=1", "  =1", "\x00=1", "＝1", "\x1b=1"],
)
def test_a_cell_never_begins_like_a_formula(formula):
    shown = harmless(formula)

    assert shown.startswith("'")
    assert not any(code in shown for code in "\x00\x1b\r")


@pytest.mark.parametrize("text", ["plain", "a=b", "1-2", "", "line\nbreak\ttab", "'quoted'"])
def test_other_text_is_left_alone(text):
    assert harmless(text) == text
