"""`outrider export`: write pages, URLs or links to a file or a pipe, in constant memory."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Annotated

import typer

from outrider.cli.options import Config, Data
from outrider.cli.output import errors, fail
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.streams import drop_answer
from outrider.cli.times import time_of
from outrider.cli.use_case import call
from outrider.documents.export import Selection
from outrider.documents.formats import Format
from outrider.errors import Misconfigured
from outrider.services.pages.versions import ExportTable
from outrider.services.pages.versions import export as export_table
from outrider.settings import Loaded
from outrider.urls.typed import host_named
from outrider.wording import count

STANDARD_OUTPUT = Path("-")


def export(
    what: Annotated[ExportTable, typer.Argument(metavar="pages|urls|links")],
    format: Annotated[
        Format | None,
        typer.Option(help="The format. [default: by the file name, else jsonl]", show_default=False),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="`-` is standard output.")
    ] = STANDARD_OUTPUT,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only of this host.", show_default=False)
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this source.", show_default=False)
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Only rows since this time: 2026-05-01, or an age such as 7d.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most rows.", show_default=False)] = None,
    only_indexed: Annotated[
        bool,
        typer.Option("--only-indexed", help="Without pages that are not indexed or that ask for noindex."),
    ] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Write pages, URLs or links to a file.

    A file appears under its name only when it is complete. CSV is safe to open in a spreadsheet: cells that
    begin like a formula get an apostrophe in front. Every page is written, with the columns `indexed`,
    `unindexed` (why not) and `noindex` (the page asks for it).
    """
    form = format or format_of(output)
    if form is Format.PARQUET and output == STANDARD_OUTPUT and sys.stdout.isatty():
        fail("Parquet cannot be printed on a terminal: name a file with --output", WRONG_USAGE)
    selection = Selection(
        host=None if host is None else host_named(host),
        source=source,
        since=None if since is None else time_of(since, datetime.now(UTC)),
        limit=limit,
        only_indexed=only_indexed,
    )
    loaded = load_settings(config, data=data)
    try:
        with opened(output) as file:
            rows = write(loaded, what, selection, form, file)
    except BrokenPipeError:  # the reader closed the pipe
        drop_answer()
        return
    if output != STANDARD_OUTPUT:
        print_row_count(rows, what, output)


def print_row_count(rows: int, what: ExportTable, output: Path) -> None:
    errors().print(f"{count(rows)} {what.value} in {output}", markup=False)


def format_of(output: Path) -> Format:
    """The format by the extension of the file; JSON lines for an unknown one."""
    extensions = {f".{form.value}": form for form in Format} | {
        ".ndjson": Format.JSONL,
        ".pq": Format.PARQUET,
    }
    return extensions.get(output.suffix.lower(), Format.JSONL)


def write(loaded: Loaded, what: ExportTable, selection: Selection, form: Format, file: IO[bytes]) -> int:
    """Write the rows and count them; a terminal shows the progress."""

    def show(written: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{count(written)} {what.value}", end="", file=sys.stderr, flush=True)

    written = call(loaded, lambda db: export_table(db, what, selection, form, file, show))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return written


@contextmanager
def opened(output: Path) -> Iterator[IO[bytes]]:
    """The file to write. It gets its name only when it is complete."""
    if output == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
    try:
        if output.exists() and not output.is_file():  # a device or a pipe is written to, never replaced
            with output.open("wb") as file:
                yield file
            return
        place = output.resolve()  # a link stays a link
        with NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).chmod(0o666 & ~_umask())
                Path(file.name).replace(place)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except ConnectionError:
        raise  # an error of the database, not of the file
    except OSError as error:
        raise Misconfigured(f"{output} cannot be written: {error.strerror or error}") from error


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
