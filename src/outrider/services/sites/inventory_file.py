"""Reads a file of live paths: one a line, or a JSON list. Pure."""

import json
from typing import Any

from outrider.errors import InvalidInput
from outrider.services.paging import refuse_unknown
from outrider.sites.model import LivePath, PathKind

LARGEST_FILE = 500_000_000  # bytes
_FIELDS = ("path", "kind", "title", "parent", "is_visible", "status")


def read_inventory(text: str) -> list[LivePath]:
    """The paths of a file; raises InvalidInput with the reason."""
    if text.lstrip()[:1] not in ("[", "{"):
        return [LivePath(line.strip()) for line in text.splitlines() if line.strip()]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the file is no JSON: {str(error)[:200]}") from None
    rows = found.get("paths") if isinstance(found, dict) else found
    if not isinstance(rows, list):
        raise InvalidInput("the file needs a list of paths")
    return [_path(number, row) for number, row in enumerate(rows, start=1)]


def _path(number: int, row: Any) -> LivePath:
    if isinstance(row, str):
        return LivePath(row)
    if not isinstance(row, dict) or not isinstance(row.get("path"), str):
        raise InvalidInput(f"path {number} is neither a text nor an object with `path`")
    refuse_unknown(f"field in path {number}:", list(row), _FIELDS)
    kind, visible = row.get("kind", "item"), row.get("is_visible", True)
    if kind not in list(PathKind) or not isinstance(visible, bool):
        raise InvalidInput(f"path {number}: kind is one of {', '.join(PathKind)}, is_visible true or false")
    texts = {name: row.get(name) for name in ("title", "parent", "status")}
    if not all(isinstance(each, str | None) for each in texts.values()):
        raise InvalidInput(f"path {number}: title, parent and status are texts")
    return LivePath(
        row["path"], PathKind(kind), texts["title"] or "", texts["parent"], visible, texts["status"] or ""
    )
