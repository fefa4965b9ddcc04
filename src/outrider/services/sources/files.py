"""Use cases of files of sources: fetch a list, import it, export all sources."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.errors import Unavailable
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.fetch.polite import FetchOne
from outrider.services.transaction import one_transaction
from outrider.sources.exporter import ExportFormat, written
from outrider.sources.importer import ImportFile
from outrider.sources.model import SourceFilter
from outrider.sources.store import SourceStore
from outrider.urls import normalize
from outrider.watch.bulk import RowReport, RowResult, count_results, expected_result, import_sources
from outrider.watch.source_service import SourceService

MOST_EXPORTED = 1_000_000


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of each row of an import, and notes about the whole file."""

    rows: Sequence[RowReport]
    notes: Sequence[str]
    dry_run: bool

    @property
    def counts(self) -> Counter[RowResult]:
        """How many rows had each result."""
        return count_results(self.rows)

    def json_form(self) -> dict[str, Any]:
        counts = self.counts
        totals = {end.value: counts[end] for end in RowResult}
        return totals | {"dry_run": self.dry_run, "notes": self.notes, "rows": self.rows}


async def fetch_list(fetch_one: FetchOne, url: str) -> bytes:
    """SRC-16: the list of another program. Raises Unavailable; the sources stay as they are."""
    answer = await fetch_one(normalize(url))
    if not answer.is_ok:
        why = answer.message or answer.reason
        raise Unavailable(f"{url} could not be read: {why}; the sources stay as they are")
    return answer.body


async def import_file(
    db: asyncpg.Connection, file: ImportFile, options: FrontierOptions, *, dry_run: bool = False
) -> ImportReport:
    """Add and change the sources of a file. A refused row does not affect the other rows."""
    service = SourceService(FrontierStore(options))
    async with one_transaction(db, dry_run=dry_run):
        rows = await import_sources(db, service, file.candidates)
    return ImportReport(rows, file.notes, dry_run)


def forecast_import(file: ImportFile) -> ImportReport:
    """The report of a dry run in a database without sources."""
    return ImportReport(
        [expected_result(candidate) for candidate in file.candidates], file.notes, dry_run=True
    )


async def export_sources(db: asyncpg.Connection, form: ExportFormat) -> str:
    """All sources as the text of a file that can be imported."""
    store = SourceStore()
    async with db.transaction():
        listed, _ = await store.page(db, SourceFilter(limit=MOST_EXPORTED))
        channels = await store.channel_addresses(db, [each.source.source_id for each in listed])
    sources = [(each.source, channels[each.source.source_id]) for each in listed]
    # In a thread: others wait for this process.
    return await asyncio.to_thread(written, sources, form)
