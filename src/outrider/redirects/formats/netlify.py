"""Redirects as the file `_redirects` of Netlify, which others read too.

Netlify compares decoded paths, takes a slash at the end for nothing, and compares letters exactly. It passes
the query of the visitor on, unless the target has one of its own.
"""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.model import GONE, PERMANENT
from outrider.sites.paths import decoded, for_header

# Blanks end a path; `*` and `/:` are patterns; the others look like percent-encoding when read back.
_NOT_EXPRESSIBLE = re.compile(r"[\s*%?#]|/:")


def write(table: ExportedTable) -> RedirectFile:
    """One line for each redirect. There is no 410."""
    out, left_out = [f"# Redirects of {table.site}, version {table.version}.\n"], []
    written: set[str] = set()
    for each in table.redirects:
        path = decoded(each.from_path)
        if each.to is None or _NOT_EXPRESSIBLE.search(path) or path.rstrip("/") in written:
            left_out.append(each.from_path)
        else:
            written.add(path.rstrip("/"))
            out.append(f"{path} {for_header(each.to)} {each.status}!\n")
    return RedirectFile("".join(out), "text/plain; charset=utf-8", left_out)


def read(text: str) -> Iterator[FileRow]:
    """Lines with a source, a target and perhaps a code."""
    for number, line in numbered_lines(text):
        parts = line.split()
        if len(parts) == 2 and parts[1].rstrip("!") == str(GONE):
            yield FileRow(number, parts[0], None, GONE)
        elif len(parts) >= 2:
            yield FileRow(
                number, parts[0], parts[1], read_status(parts[2], number) if len(parts) > 2 else PERMANENT
            )
