"""Many sources at once: each row of an import becomes a source, changes one, or is refused with a reason."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.sources.importer import ImportCandidate
from outrider.sources.model import Source
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService


class RowResult(StrEnum):
    """The result of one row."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RowReport:
    """One line of the report."""

    place: str
    name: str
    end: RowResult
    changed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


async def import_sources(
    db: asyncpg.Connection, source_service: SourceService, candidates: Sequence[ImportCandidate]
) -> list[RowReport]:
    """Add new sources and change known ones, which are found by identity key, name or address in this order.

    A refused row writes nothing and does not affect the other rows. Runs in the caller's transaction.
    """
    store = SourceStore()
    return [await _import_one(db, source_service, store, candidate) for candidate in candidates]


def count_results(reports: Sequence[RowReport]) -> Counter[RowResult]:
    return Counter(report.end for report in reports)


def expected_result(row: ImportCandidate) -> RowReport:
    """The result of a row in a database without sources."""
    name = row.changes.name or row.changes.url or ""
    end = RowResult.REFUSED if row.problems else RowResult.ADDED
    return RowReport(row.place, name, end, problems=row.problems, notes=row.notes)


async def _import_one(
    db: asyncpg.Connection, source_service: SourceService, store: SourceStore, row: ImportCandidate
) -> RowReport:
    expected = expected_result(row)
    if row.problems:
        return expected
    try:
        async with db.transaction():
            end, changed, notes = await _apply(db, source_service, store, row)
    except (Conflict, InvalidInput) as error:
        return replace(expected, end=RowResult.REFUSED, problems=(str(error),))
    return replace(expected, end=end, changed=changed, notes=(*row.notes, *notes))


async def _apply(
    db: asyncpg.Connection, source_service: SourceService, store: SourceStore, row: ImportCandidate
) -> tuple[RowResult, tuple[str, ...], tuple[str, ...]]:
    changes = row.changes
    known = await _known(db, store, changes)
    if known is None:
        twin = None if row.twin else await store.by_url(db, changes.url or "")
        result = await source_service.add(db, changes)
        if twin and not result.notes:
            return (
                RowResult.ADDED,
                (),
                (f"url: {twin.name!r} is watched there already: the two share its feeds",),
            )
        return RowResult.ADDED, (), result.notes
    result = await source_service.change(db, known, changes)
    return (RowResult.CHANGED if result.changed else RowResult.UNCHANGED), result.changed, result.notes


async def _known(db: asyncpg.Connection, store: SourceStore, changes: SourceChanges) -> Source | None:
    """The source of a row. The identity key wins over the name, which may have changed."""
    known = await store.by_identity(db, changes.identity_key) if changes.identity_key else None
    if known is None and changes.name is not None:
        return await store.by_name(db, changes.name)
    return known or await store.by_url(db, changes.url or "")
