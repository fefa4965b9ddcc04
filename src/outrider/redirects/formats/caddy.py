"""Redirects as directives of a Caddyfile, for a site block.

Every path is a regular expression: the plain matcher of Caddy also ignores the case of letters that are not
ASCII, and dots at the end, and takes `*`, `{` and blanks for its own.
"""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.formats.patterns import caseless_pattern_of, path_of, pattern_of
from outrider.redirects.model import GONE, Redirect
from outrider.sites.paths import decoded, for_header, stored

_HEAD = """\
# Redirects of {site}, version {version}. Import this file in the block of the site.
map {{query}} {{outrider_query}} {{outrider_more}} {{
\t"" "" ""
\tdefault "?{{query}}" "&{{query}}"
}}
"""
_PATHS = re.compile(r"^path (\S+)(?: \S+)?$")
_PATTERN = re.compile(r'^path_regexp "\^(.*?)(/\?)?\$"$')
_REDIR = re.compile(r"^redir @\w+ (\S+) (\d{3})$")
_GONE = re.compile(r"^respond @\w+ 410$")
_JOINED = re.compile(r"\{(?:outrider_query|outrider_more|\?query)\}|&\{query\}")


def write(table: ExportedTable) -> RedirectFile:
    """A matcher and a directive for each redirect."""
    out = [_HEAD.format(site=table.site, version=table.version)]
    out += [
        f"@r{number} {{\n\tmethod GET HEAD\n\t{_matcher(table, each)}\n}}\n{_directive(number, each)}\n"
        for number, each in enumerate(table.redirects)
    ]
    return RedirectFile("".join(out), "text/plain; charset=utf-8")


def _matcher(table: ExportedTable, redirect: Redirect) -> str:
    path = redirect.from_path
    has_case = not table.rules.lowercase or table.is_exempt(path)
    pattern = pattern_of(decoded(path)) if has_case else caseless_pattern_of(decoded(path))
    slash = "/?" if len(table.spellings(path)) > 1 else ""
    return f'path_regexp "^{pattern}{slash}$"'


def _directive(number: int, redirect: Redirect) -> str:
    if redirect.to is None:
        return f"respond @r{number} 410"
    rest, hash_sign, fragment = for_header(redirect.to).partition("#")
    query = "{outrider_more}" if "?" in rest else "{outrider_query}"
    return f"redir @r{number} {rest}{query}{hash_sign}{fragment} {redirect.status}"


def read(text: str) -> Iterator[FileRow]:
    """Matchers and directives that were written here."""
    path = ""
    for number, line in numbered_lines(text):
        if found := _PATHS.match(line):
            path = found[1]
        elif found := _PATTERN.match(line):
            path = stored(path_of(found[1]))
        elif path and (found := _REDIR.match(line)):
            yield FileRow(number, path, _JOINED.sub("", found[1]), read_status(found[2], number))
        elif path and _GONE.match(line):
            yield FileRow(number, path, None, GONE)
