"""`outrider site log`: views and 404s from an access log."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.redirects.access_logs import LONGEST_LINE, read_log
from outrider.services.as_json import as_json
from outrider.services.sites.log_import import import_log
from outrider.services.sites.sites import show_site
from outrider.wording import count, plural

LARGEST_LOG = 50_000_000_000  # bytes, unpacked
_GZIP = b"\x1f\x8b"


class LogFileReader:
    """The lines of a log, unpacked if it is compressed, and its fingerprint."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    @property
    def fingerprint(self) -> str:
        return self._hash.hexdigest()

    def lines(self) -> Iterator[bytes]:
        """Each line, cut if it is too long; raises InvalidInput if the file is too large or broken."""
        with self._file.open("rb") as raw:
            is_packed = raw.read(2) == _GZIP
        left = LARGEST_LOG
        with gzip.open(self._file) if is_packed else self._file.open("rb") as log:
            try:
                while line := log.readline(LONGEST_LINE + 1):
                    left -= len(line)
                    if left < 0:
                        raise InvalidInput(f"the log has more than {LARGEST_LOG:,} bytes: split it")
                    self._hash.update(line)
                    yield line
            except (OSError, EOFError, zlib.error) as error:
                raise InvalidInput(f"{self._file} cannot be read: {error}") from None


def log(
    site: SiteName,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Common or combined format, or JSON lines; may be gzipped.",
            exists=True,
            dir_okay=False,
        ),
    ],
    again: Annotated[bool, typer.Option("--again", help="Count a log that was imported before.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Count page views and 404s of an access log, for sites without the middleware."""
    loaded = load_settings(config, data=data)
    words = call(loaded, lambda db: show_site(db, site)).site.settings.bot_words
    reader = LogFileReader(file)
    summary = read_log(reader.lines(), words)
    done = change(loaded, lambda db: import_log(db, site, summary, reader.fingerprint, again=again))
    if json:
        print_json(as_json(done))
        return
    show(plain(f"{plural(done.lines, 'line')}, {count(done.unreadable)} of them unreadable."))
    show(plain(f"{plural(done.views, 'page view')}; {plural(done.missed_paths, 'path')} answered 404."))
    found = plural(done.recorded, "broken URL")
    show(plain(f"{found}, {count(done.resolved)} resolved; {count(done.noise)} without visitors left out."))
