"""Redirects as the file `_redirects` of Netlify, which others read too. It keeps queries by itself."""

from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.model import GONE, PERMANENT
from outrider.sites.paths import for_header


def write(table: ExportedTable) -> RedirectFile:
    """One line for each redirect. There is no 410, and `*` and `:` have a meaning."""
    out, left_out = [f"# Redirects of {table.site}, version {table.version}.\n"], []
    for each in table.redirects:
        if each.to is None or "*" in each.from_path or "/:" in each.from_path:
            left_out.append(each.from_path)
        else:
            out.append(f"{for_header(each.from_path)} {for_header(each.to)} {each.status}!\n")
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
