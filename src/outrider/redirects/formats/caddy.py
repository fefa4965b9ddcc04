"""Redirects as directives of a Caddyfile, for a site block. Caddy compares paths without case."""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.model import GONE, Redirect
from outrider.sites.paths import for_header

_PATHS = re.compile(r"^path (\S+)(?: \S+)?$")
_REDIR = re.compile(r"^redir @\w+ (\S+) (\d{3})$")
_GONE = re.compile(r"^respond @\w+ 410$")
_SPECIAL = frozenset('*{}"`')


def write(table: ExportedTable) -> RedirectFile:
    """A matcher and a directive for each redirect."""
    out = [f"# Redirects of {table.site}, version {table.version}.\n"]
    left_out = []
    for number, each in enumerate(table.redirects):
        if _SPECIAL & set(each.from_path) or _SPECIAL & set(each.to or ""):
            left_out.append(each.from_path)
            continue
        paths = " ".join(table.spellings(each.from_path))
        out.append(f"@r{number} {{\n\tmethod GET HEAD\n\tpath {paths}\n}}\n{_directive(number, each)}\n")
    return RedirectFile("".join(out), "text/plain; charset=utf-8", left_out)


def _directive(number: int, redirect: Redirect) -> str:
    if redirect.to is None:
        return f"respond @r{number} 410"
    rest, hash_sign, fragment = for_header(redirect.to).partition("#")
    query = "&{query}" if "?" in rest else "{?query}"
    return f"redir @r{number} {rest}{query}{hash_sign}{fragment} {redirect.status}"


def read(text: str) -> Iterator[FileRow]:
    """Matchers and directives that were written here."""
    path = ""
    for number, line in numbered_lines(text):
        if found := _PATHS.match(line):
            path = found[1]
        elif path and (found := _REDIR.match(line)):
            to = found[1].replace("&{query}", "").replace("{?query}", "")
            yield FileRow(number, path, to, read_status(found[2], number))
        elif path and _GONE.match(line):
            yield FileRow(number, path, None, GONE)
