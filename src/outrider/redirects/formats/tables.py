"""Redirects as JSON and as CSV. Both have everything, and are read back exactly."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from outrider.errors import InvalidInput
from outrider.redirects.formats.model import (
    LONGEST_LINE,
    MOST_LINES,
    ExportedTable,
    FileRow,
    RedirectFile,
    read_status,
)
from outrider.redirects.model import GONE, PERMANENT

COLUMNS = ("from_path", "to", "status", "source", "confidence")


def write_json(table: ExportedTable) -> RedirectFile:
    """The form that a middleware reads: the rules of the site, the version and every redirect."""
    rules = {
        "lowercase": table.rules.lowercase,
        "strip_slash": table.rules.strip_slash,
        "exempt": list(table.rules.exempt),
    }
    rows = [dict(zip(COLUMNS, _cells(each), strict=True)) for each in table.redirects]
    made = {
        "site": table.site,
        "version": table.version,
        "rules": rules,
        "bot_words": list(table.bot_words),
        "redirects": rows,
    }
    return RedirectFile(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "application/json")


def read_json(text: str) -> Iterator[FileRow]:
    """An object with `redirects`, or a list of them."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the file is no JSON: {str(error)[:200]}") from None
    rows = found.get("redirects") if isinstance(found, dict) else found
    if not isinstance(rows, list) or len(rows) > MOST_LINES:
        raise InvalidInput(f"the file needs a list `redirects` of at most {MOST_LINES:,} objects")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InvalidInput(f"redirect {number} is no object with from_path, to and status")
        yield _row(number, row.get("from_path"), row.get("to"), row.get("status", PERMANENT))


def write_csv(table: ExportedTable) -> RedirectFile:
    """One line for each redirect, with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([cell if cell is not None else "" for cell in _cells(each)] for each in table.redirects)
    return RedirectFile(out.getvalue(), "text/csv; charset=utf-8")


def read_csv(text: str) -> Iterator[FileRow]:
    """Columns by their names; without a header they are source, target and code."""
    rows = csv.reader(io.StringIO(text))
    names = list(COLUMNS)
    try:
        for number, row in enumerate(rows, start=1):
            if number > MOST_LINES or sum(map(len, row)) > LONGEST_LINE:
                raise InvalidInput(
                    f"line {number} is too long, or the file has more than {MOST_LINES:,} lines"
                )
            if number == 1 and "from_path" in row:
                names = row
            elif any(row):
                cells = dict(zip(names, row, strict=False))
                yield _row(
                    rows.line_num,
                    cells.get("from_path"),
                    cells.get("to") or None,
                    cells.get("status") or PERMANENT,
                )
    except csv.Error as error:
        raise InvalidInput(f"the file is no CSV: {error}") from None


def _cells(redirect: Any) -> tuple[Any, ...]:
    confidence = None if redirect.confidence is None else round(redirect.confidence, 4)
    return redirect.from_path, redirect.to, redirect.status, redirect.source.value, confidence


def _row(number: int, path: Any, to: Any, status: Any) -> FileRow:
    if not isinstance(path, str) or not isinstance(to, str | None):
        raise InvalidInput(f"row {number} needs from_path and to as texts")
    code = read_status(str(status), number)
    return FileRow(number, path, None if code == GONE else to, code)
