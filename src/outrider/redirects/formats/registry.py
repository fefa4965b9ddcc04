"""Every format of redirect files by its name."""

from collections.abc import Callable, Iterator
from enum import StrEnum

from outrider.redirects.formats import apache, caddy, cloudflare, netlify, nginx, tables
from outrider.redirects.formats.model import ExportedTable, FileRow, RedirectFile


class RedirectFormat(StrEnum):
    """A format of redirect files."""

    JSON = "json"
    CSV = "csv"
    NGINX = "nginx"
    APACHE = "apache"
    CADDY = "caddy"
    NETLIFY = "netlify"
    CLOUDFLARE = "cloudflare"


_WRITERS: dict[RedirectFormat, Callable[[ExportedTable], RedirectFile]] = {
    RedirectFormat.JSON: tables.write_json,
    RedirectFormat.CSV: tables.write_csv,
    RedirectFormat.NGINX: nginx.write,
    RedirectFormat.APACHE: apache.write,
    RedirectFormat.CADDY: caddy.write,
    RedirectFormat.NETLIFY: netlify.write,
    RedirectFormat.CLOUDFLARE: cloudflare.write,
}
_READERS: dict[RedirectFormat, Callable[[str], Iterator[FileRow]]] = {
    RedirectFormat.JSON: tables.read_json,
    RedirectFormat.CSV: tables.read_csv,
    RedirectFormat.NGINX: nginx.read,
    RedirectFormat.APACHE: apache.read,
    RedirectFormat.CADDY: caddy.read,
    RedirectFormat.NETLIFY: netlify.read,
    RedirectFormat.CLOUDFLARE: cloudflare.read,
}


def write_file(table: ExportedTable, form: RedirectFormat) -> RedirectFile:
    """The table as a file."""
    return _WRITERS[form](table)


def read_file(text: str, form: RedirectFormat) -> Iterator[FileRow]:
    """The redirects of a file; raises InvalidInput for a file that cannot be read."""
    return _READERS[form](text)
