"""Lists of sources as JSON: a list with one object for each source, or `{"sources": […]}`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from outrider.errors import InvalidInput
from outrider.sources.headers import field_named, unknown_columns, with_unit
from outrider.sources.rows import LONGEST_CELL, MOST_ROWS, ImportRow, ImportRows

_EXAMPLE = '[{"name": "Das Blatt", "url": "https://blatt.example"}]'


def read_json(content: bytes) -> ImportRows:
    """Raises InvalidInput if the content is no list of sources."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this cannot be read as JSON: {error}") from error
    if isinstance(found, dict):
        found = found.get("sources")  # the form of `source list --json` and of other programs
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InvalidInput(f"this is JSON, but no list of sources: write {_EXAMPLE}")
    if len(found) > MOST_ROWS:
        raise InvalidInput(f"there are more than {MOST_ROWS:,} sources: split the file")
    rows = [ImportRow(f"source {number}", _values(each)) for number, each in enumerate(found, start=1)]
    unknown = dict.fromkeys(name for each in found for name in each if field_named(name) is None)
    return ImportRows(rows, tuple(unknown_columns(list(unknown))))


def _values(given: Mapping[str, Any]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in given.items():
        field = field_named(name)
        if field is not None:
            texts = (with_unit(name, text[:LONGEST_CELL]) for text in _texts(value))
            values.setdefault(field, []).extend(text for text in texts if text.strip())
    return {field: texts for field, texts in values.items() if texts}


def _texts(value: Any) -> Iterator[str]:
    """The value as the texts of a spreadsheet cell."""
    match value:
        case None:
            return
        case bool():
            yield "yes" if value else "no"
        case dict():
            yield json.dumps(value, ensure_ascii=False)
        case list():
            for each in value:
                yield str(each)
        case _:
            yield str(value)
