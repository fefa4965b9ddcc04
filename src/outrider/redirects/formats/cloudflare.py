"""Redirects as the CSV of Cloudflare's bulk redirects: whole URLs, for each host of the site.

By Cloudflare's documentation a source has neither port nor query, no source occurs twice, and the query of
the visitor cannot be kept where the target has one of its own.
"""

import csv
import io
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from outrider.errors import InvalidInput
from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile, numbered_lines, read_status
from outrider.redirects.model import PERMANENT
from outrider.sites.paths import for_header

_CODES = (301, 302, 307, 308)
_PORT = re.compile(r":[0-9]+$")


def write(table: ExportedTable) -> RedirectFile:
    """Source, target, code, and whether queries are kept. Cloudflare has neither 303 nor 410."""
    out, left_out = io.StringIO(), []
    writer = csv.writer(out, lineterminator="\n")
    hosts = [host for host in dict.fromkeys(table.hosts) if not _PORT.search(host)]
    for each in table.redirects:
        if each.to is None or each.status not in _CODES or not hosts:
            left_out.append(each.from_path)
            continue
        to = for_header(each.to)
        target = table.base_url + to if each.to_key is not None else to
        keeps_query = "FALSE" if "?" in target.partition("#")[0] else "TRUE"
        for host in hosts:
            for path in table.spellings(each.from_path):
                source = host + for_header(path)
                writer.writerow([source, target, each.status, keeps_query, "FALSE", "FALSE", "FALSE"])
    return RedirectFile(out.getvalue(), "text/csv; charset=utf-8", left_out)


def read(text: str) -> Iterator[FileRow]:
    """Rows with a source URL, a target URL and perhaps a code. The hosts of sources are dropped."""
    for number, line in numbered_lines(text):
        try:
            [cells] = csv.reader([line])
            parts = urlsplit(cells[0] if "://" in cells[0] else f"//{cells[0]}")
        except (csv.Error, ValueError, IndexError):
            raise InvalidInput(f"line {number} is no row with a source and a target") from None
        if len(cells) < 2:
            raise InvalidInput(f"line {number} needs a source and a target")
        code = read_status(cells[2], number) if len(cells) > 2 and cells[2] else PERMANENT
        yield FileRow(number, parts.path or "/", cells[1], code)
