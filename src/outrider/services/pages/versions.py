"""Use cases of pages: list versions, compare two of them, export pages."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import IO

import asyncpg

from outrider.documents import versions
from outrider.documents.diff import CONTEXT, MAX_CONTEXT
from outrider.documents.export import TABLES, Selection
from outrider.documents.export import export as export_rows
from outrider.documents.formats import Format, writer_for
from outrider.documents.versions import MAX_LIMIT, Comparison, Versions, VersionText
from outrider.errors import InvalidInput
from outrider.services.paging import PageRequest
from outrider.services.sources.sources import source_id_named
from outrider.sources.owners import owner_names

Progress = Callable[[int], None]  # takes the number of rows written so far


class ExportTable(StrEnum):
    """What can be exported."""

    PAGES = "pages"
    URLS = "urls"
    LINKS = "links"


async def list_versions(db: asyncpg.Connection, url: str, page: PageRequest) -> Versions:
    """The newest versions of the page that a normalised URL leads to; raises NotFound."""
    page = page.checked(MAX_LIMIT, most_offset=0)
    async with db.transaction():
        return await versions.list_versions(db, url, page.limit)


async def read_version(db: asyncpg.Connection, url: str, number: int) -> VersionText:
    """The text of one version; raises NotFound."""
    async with db.transaction():
        return await versions.read_version(db, url, number)


async def compare_versions(
    db: asyncpg.Connection,
    url: str,
    older: int | None = None,
    newer: int | None = None,
    context: int = CONTEXT,
) -> Comparison:
    """What changed from one version to another, by default with the last change; raises NotFound."""
    if not 0 <= context <= MAX_CONTEXT:
        raise InvalidInput(f"context is a number from 0 to {MAX_CONTEXT}, not {context}")
    async with db.transaction():
        return await versions.compare_versions(db, url, older, newer, context)


async def export(
    db: asyncpg.Connection,
    table: ExportTable,
    selection: Selection,
    form: Format,
    file: IO[bytes],
    progress: Progress,
) -> int:
    """Write rows to a file in constant memory and return how many; raises NotFound for an unknown source.

    An export may take hours, so it reads one batch at a time and holds no transaction open.
    """
    source_id = await source_id_named(db, selection.source)
    if source_id is not None:  # the queries take its name, and it may be given by its id
        selection = replace(selection, source=(await owner_names(db, [source_id]))[source_id])
    source, written = TABLES[table], 0
    writer = writer_for(form, source.columns, file)
    async for rows in export_rows(db, source, selection):
        writer.write(rows)
        written += len(rows)
        progress(written)
    writer.finish()
    return written
