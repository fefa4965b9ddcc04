"""Redirects as rules of Apache's mod_rewrite, for a server, a virtual host or an `.htaccess` file."""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.model import GONE, Redirect
from outrider.sites.paths import decoded, for_header, stored

_WRITTEN = re.compile(r'^RewriteRule "\^/\?(.*?)(/\?)?\$" "(.*)" \[(.*)\]$')
_SIMPLE = re.compile(
    r'^Redirect(Match)?\s+(?:(\d{3}|permanent|temp|gone)\s+)?"?(/[^"\s]*)"?(?:\s+"?([^"\s]+)"?)?$', re.I
)
_WORDS = {"permanent": "301", "temp": "302", "gone": "410"}


def write(table: ExportedTable) -> RedirectFile:
    """One rule for each redirect."""
    head = f"# Redirects of {table.site}, version {table.version}.\nRewriteEngine On\n"
    body = "".join(
        "RewriteCond %{REQUEST_METHOD} ^(GET|HEAD)$\n"
        f'RewriteRule "{_pattern(table, each)}" "{_target(each)}" [{_flags(table, each)}]\n'
        for each in table.redirects
    )
    return RedirectFile(head + body, "text/plain; charset=utf-8")


def _pattern(table: ExportedTable, redirect: Redirect) -> str:
    path = re.escape(decoded(redirect.from_path)[1:]).replace('"', '\\"')
    return f"^/?{path}{'/?' if len(table.spellings(redirect.from_path)) > 1 else ''}$"


def _target(redirect: Redirect) -> str:
    if redirect.to is None:
        return "-"
    # % and $ stand for captured groups there.
    return for_header(redirect.to).replace("%", "\\%")


def _flags(table: ExportedTable, redirect: Redirect) -> str:
    case = "" if not table.rules.lowercase or table.is_exempt(redirect.from_path) else ",NC"
    return f"G{case}" if redirect.status == GONE else f"R={redirect.status},L,NE,QSA{case}"


def read(text: str) -> Iterator[FileRow]:
    """Rules that were written here, and the directives `Redirect` of other files."""
    for number, line in numbered_lines(text):
        if found := _WRITTEN.match(line):
            path = "/" + re.sub(r"\\(.)", r"\1", found[1])
            code = found[4].partition("R=")[2][:3] or str(GONE)
            to = None if found[3] == "-" else found[3].replace("\\%", "%")
            yield FileRow(number, stored(path), to, read_status(code, number))
        elif (found := _SIMPLE.match(line)) and not found[1]:
            word = (found[2] or "302").lower()
            code = _WORDS.get(word, word)
            yield FileRow(number, found[3], found[4], read_status(code, number))
