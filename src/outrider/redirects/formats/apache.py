"""Redirects as rules of Apache's mod_rewrite, for a server, a virtual host or an `.htaccess` file."""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.formats.patterns import path_of, pattern_of
from outrider.redirects.model import GONE, Redirect
from outrider.sites.paths import decoded, for_header, stored

_HEAD = """\
# Redirects of {site}, version {version}.
# For paths with %2F write `AllowEncodedSlashes On` in the server or the virtual host.
RewriteEngine On
"""
_READ_METHODS = "RewriteCond %{REQUEST_METHOD} ^(GET|HEAD)$\n"
_WITH_QUERY = "RewriteCond %{QUERY_STRING} .\n"
_QUERY = "%{QUERY_STRING}"
_WRITTEN = re.compile(r'^RewriteRule "\^/\?(.*?)(/\?)?\$" "(.*)" \[(.*)\]$')
_SIMPLE = re.compile(
    r'^Redirect(Match)?\s+(?:(\d{3}|permanent|temp|gone)\s+)?"?(/[^"\s]*)"?(?:\s+"?([^"\s]+)"?)?$', re.I
)
_WORDS = {"permanent": "301", "temp": "302", "gone": "410"}


def write(table: ExportedTable) -> RedirectFile:
    """One rule for each redirect; two if its target has a fragment."""
    head = _HEAD.format(site=table.site, version=table.version)
    body = "".join(rule for each in table.redirects for rule in _rules(table, each))
    return RedirectFile(head + body, "text/plain; charset=utf-8")


def _rules(table: ExportedTable, redirect: Redirect) -> Iterator[str]:
    slash = "/?" if len(table.spellings(redirect.from_path)) > 1 else ""
    case = ",NC" if table.rules.lowercase and not table.is_exempt(redirect.from_path) else ""
    start = f'RewriteRule "^/?{pattern_of(decoded(redirect.from_path)[1:])}{slash}$"'
    if redirect.to is None:
        yield f'{_READ_METHODS}{start} "-" [G{case}]\n'
        return
    # % and $ stand for captured groups in a target.
    to = for_header(redirect.to).replace("%", "\\%")
    flags = f"R={redirect.status},L,NE"
    rest, hash_sign, fragment = to.partition("#")
    if hash_sign:  # Apache appends a query after the fragment
        joined = f"{rest}{'&' if '?' in rest else '?'}{_QUERY}#{fragment}"
        yield f'{_READ_METHODS}{_WITH_QUERY}{start} "{joined}" [{flags}{case}]\n'
    yield f'{_READ_METHODS}{start} "{to}" [{flags},{"QSD" if hash_sign else "QSA"}{case}]\n'


def read(text: str) -> Iterator[FileRow]:
    """Rules that were written here, and the directives `Redirect` of other files."""
    for number, line in numbered_lines(text):
        if found := _WRITTEN.match(line):
            if _QUERY in found[3]:
                continue  # the next rule has the same source
            code = found[4].partition("R=")[2][:3] or str(GONE)
            to = None if found[3] == "-" else found[3].replace("\\%", "%")
            yield FileRow(number, stored("/" + path_of(found[1])), to, read_status(code, number))
        elif (found := _SIMPLE.match(line)) and not found[1]:
            word = (found[2] or "302").lower()
            code = _WORDS.get(word, word)
            yield FileRow(number, found[3], found[4], read_status(code, number))
