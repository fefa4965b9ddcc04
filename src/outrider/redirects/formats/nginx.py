"""Redirects as maps of nginx.

nginx compares the strings of a map without case, as a site with lowercase paths does. For other paths a
regular expression is written. nginx tries these one after the other, so such tables should be small.
"""

import re
from collections.abc import Iterator

from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines
from outrider.redirects.model import GONE, Redirect
from outrider.sites.paths import decoded, for_header, stored

_HEAD = """\
# Redirects of {site}, version {version}. Include this file in the block `http`.
# In the block `server` write:
{returns}
map_hash_max_size {size};
map_hash_bucket_size {bucket};
map $request_method $outrider_unread {{ GET ""; HEAD ""; default "-"; }}
map $args $outrider_more {{ "" ""; default "&$args"; }}
"""
_ENTRY = re.compile(r'^"((?:[^"\\]|\\.)*)"\s+"((?:[^"\\]|\\.)*)";$')
_MAP = re.compile(r"^map \S+ \$outrider_(\d{3}) \{$")


def write(table: ExportedTable) -> RedirectFile:
    """One map for each code."""
    codes = sorted({each.status for each in table.redirects})
    returns = "".join(
        f"#   if ($outrider_{code}) {{ return {code}{'' if code == GONE else f' $outrider_{code}'}; }}\n"
        for code in codes
    )
    longest = max((len(each.from_path.encode()) for each in table.redirects), default=0)
    head = _HEAD.format(
        site=table.site,
        version=table.version,
        returns=returns.rstrip("\n"),
        size=max(2_048, 4 * len(table.redirects)),
        bucket=1 << (longest + 64).bit_length(),
    )
    maps = []
    for code in codes:
        lines = [line for each in table.redirects if each.status == code for line in _lines(table, each)]
        maps.append(f"map $outrider_unread$uri $outrider_{code} {{\n" + "".join(lines) + "}\n")
    return RedirectFile(head + "".join(maps), "text/plain; charset=utf-8")


def _lines(table: ExportedTable, redirect: Redirect) -> Iterator[str]:
    value = "gone" if redirect.status == GONE else _value(redirect)
    if table.rules.lowercase and not table.is_exempt(redirect.from_path):
        for path in table.spellings(redirect.from_path):
            yield f'  "{_quoted(decoded(path))}" "{value}";\n'
    else:
        slash = "/?" if len(table.spellings(redirect.from_path)) > 1 else ""
        yield f'  "{_quoted(f"~^{re.escape(decoded(redirect.from_path))}{slash}$")}" "{value}";\n'


def _value(redirect: Redirect) -> str:
    assert redirect.to is not None
    rest, hash_sign, fragment = for_header(redirect.to).partition("#")
    query = "$outrider_more" if "?" in rest else "$is_args$args"
    return f"{rest}{query}{hash_sign}{fragment}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def read(text: str) -> Iterator[FileRow]:
    """The maps of a file that was written here."""
    code = 0
    for number, line in numbered_lines(text):
        if found := _MAP.match(line):
            code = int(found[1])
        elif code and (entry := _ENTRY.match(line)):
            path = re.sub(r"\\(.)", r"\1", entry[1])
            if path.startswith("~^"):
                path = re.sub(r"\\(.)", r"\1", path[2:].removesuffix("$").removesuffix("/?"))
            to = re.sub(r"\$is_args\$args|\$outrider_more", "", entry[2])
            yield FileRow(number, stored(path), None if code == GONE else to, code)
