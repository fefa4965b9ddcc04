"""Many sources at once: each row of an import becomes a source, changes one, or is refused with a reason."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.sources.importer import Candidate
from outrider.sources.model import Watched
from outrider.sources.store import WatchedStore
from outrider.sources.wishes import Wishes
from outrider.watch.registry import Registry


class End(StrEnum):
    """What became of a row."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RowReport:
    """One line of the report."""

    place: str
    name: str
    end: End
    changed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


async def import_sources(
    db: asyncpg.Connection, registry: Registry, candidates: Sequence[Candidate]
) -> list[RowReport]:
    """Add what is new and change what is known, by identity key, name or address: the first that is given.

    A row that is refused leaves no trace; the others are not its fault. Runs in the caller's transaction.
    """
    store = WatchedStore()
    return [await _import_one(db, registry, store, candidate) for candidate in candidates]


def tally(reports: Sequence[RowReport]) -> Counter[End]:
    return Counter(report.end for report in reports)


def forecast(row: Candidate) -> RowReport:
    """What would become of a row where nothing is watched yet."""
    name = row.wishes.name or row.wishes.url or ""
    end = End.REFUSED if row.problems else End.ADDED
    return RowReport(row.place, name, end, problems=row.problems, notes=row.notes)


async def _import_one(
    db: asyncpg.Connection, registry: Registry, store: WatchedStore, row: Candidate
) -> RowReport:
    expected = forecast(row)
    if row.problems:
        return expected
    try:
        async with db.transaction():
            end, changed, notes = await _settle(db, registry, store, row)
    except (Conflict, InvalidInput) as error:
        return replace(expected, end=End.REFUSED, problems=(str(error),))
    return replace(expected, end=end, changed=changed, notes=(*row.notes, *notes))


async def _settle(
    db: asyncpg.Connection, registry: Registry, store: WatchedStore, row: Candidate
) -> tuple[End, tuple[str, ...], tuple[str, ...]]:
    wishes = row.wishes
    known = await _known(db, store, wishes)
    if known is None:
        twin = None if row.twin else await store.by_url(db, wishes.url or "")
        settled = await registry.add(db, wishes)
        if twin and not settled.notes:
            return End.ADDED, (), (f"url: {twin.name!r} is watched there already: the two share its feeds",)
        return End.ADDED, (), settled.notes
    settled = await registry.change(db, known, wishes)
    return (End.CHANGED if settled.changed else End.UNCHANGED), settled.changed, settled.notes


async def _known(db: asyncpg.Connection, store: WatchedStore, wishes: Wishes) -> Watched | None:
    """The source that a row is about; one with its key is that, whatever it is called by now."""
    known = await store.by_identity(db, wishes.identity_key) if wishes.identity_key else None
    if known is None and wishes.name is not None:
        return await store.by_name(db, wishes.name)
    return known or await store.by_url(db, wishes.url or "")
