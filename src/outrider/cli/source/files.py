"""`outrider source import` and `export`: read and write lists of sources."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import has_database
from outrider.cli.options import Config, Contact, Data, DryRun, Json
from outrider.cli.output import FAILED, console, plain, print_json, say, table
from outrider.cli.polite_fetch import fetch_for_command
from outrider.cli.running import load_settings, run
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.services.as_json import as_json
from outrider.services.sources.files import (
    ImportReport,
    export_sources,
    fetch_list,
    forecast_import,
    import_file,
)
from outrider.settings import Loaded
from outrider.sources.exporter import ExportFormat
from outrider.sources.importer import ImportFile, read_import
from outrider.sources.rows import LARGEST_FILE
from outrider.urls import normalize
from outrider.watch.bulk import RowReport, RowResult
from outrider.wording import plural


def import_(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="CSV, XLSX, OPML or JSON; `-` reads standard input, and https://… an address.",
            show_default=False,
        ),
    ],
    dry_run: DryRun = False,
    every_row: Annotated[bool, typer.Option("--all", help="Also list the rows without problems.")] = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Add and change many sources from a CSV, XLSX, OPML or JSON file.

    Sources are matched by their identity key, else by name, else by address. Invalid rows are listed with
    a correction, and the others are imported. The exit code is 1 if a row was refused.
    """
    loaded = load_settings(config, data=data, contact=contact)
    is_address = file.startswith(("https://", "http://"))
    if is_address:
        require_contact(loaded.settings.fetch, [normalize(file)])
    file_read = read_import(run(_fetched(file, loaded)) if is_address else _content(Path(file)))
    found = _import(loaded, file_read, dry_run=dry_run)
    counts = found.counts
    if json:
        print_json(as_json(found))
    else:
        for note in found.notes:
            say(note)
        shown = [report for report in found.rows if every_row or report.problems or report.notes]
        if shown:
            console().print(table(("row", "source", "", "what"), map(_line, shown)))
        said = ", ".join(f"{counts[end]} {end.value}" for end in RowResult if counts[end]) or "no rows"
        told = "This was a dry run; nothing is stored." if dry_run else ""
        console().print(plain(f"{plural(len(found.rows), 'row')}: {said}. {told}".rstrip()))
    if counts[RowResult.REFUSED]:
        raise typer.Exit(FAILED)


def export(
    form: Annotated[
        ExportFormat | None,
        typer.Option(
            "--format",
            help="The format. [default: by the file name, else opml]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to.", show_default=False)
    ] = None,
    data: Data = None,
    config: Config = None,
) -> None:
    """Write all sources to a file that can be imported elsewhere; OPML is for feed readers."""
    loaded = load_settings(config, data=data)

    text = call(loaded, lambda db: export_sources(db, form or _by_name(output)))
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InvalidInput(f"{output} cannot be written: {error.strerror}") from error


def _by_name(file: Path | None) -> ExportFormat:
    ending = "" if file is None else file.suffix.lstrip(".").lower()
    return ExportFormat(ending) if ending in set(ExportFormat) else ExportFormat.OPML


def _import(loaded: Loaded, file: ImportFile, *, dry_run: bool) -> ImportReport:
    if dry_run and not has_database(loaded):
        return forecast_import(file)
    options = loaded.settings.frontier
    return change(loaded, lambda db: import_file(db, file, options, dry_run=dry_run), may_create=True)


async def _fetched(url: str, loaded: Loaded) -> bytes:
    async with fetch_for_command(loaded) as fetch_one:
        return await fetch_list(fetch_one, url)


def _content(file: Path) -> bytes:
    if str(file) == "-":
        return typer.get_binary_stream("stdin").read(LARGEST_FILE + 1)
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error


def _line(report: RowReport) -> tuple[object, ...]:
    what = "; ".join((*report.problems, *report.notes)) or ", ".join(report.changed)
    return report.place, report.name, report.end.value, what
