"""Use cases of one source as a resource: create it, read it, change it, switch it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.as_json import as_json
from outrider.services.from_json import fields_from_json
from outrider.services.sources.add import check_unwatched
from outrider.services.transaction import one_transaction
from outrider.sources.model import Source
from outrider.sources.source_changes import ParsedChanges
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

CheckSource = Callable[["SourceView"], None]


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as operators set it up. Figures, which change all the time, are in the list and the details.

    `notes` are for the operator who changed it, and `changed` names the fields that the change was about.
    """

    source: Source
    notes: Sequence[str] = ()
    changed: Sequence[str] = ()

    def json_form(self) -> dict[str, Any]:
        source = as_json(self.source)
        return {"id": self.source.public_id, **source, "notes": self.notes, "changed": self.changed}

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`."""
        return cls(fields_from_json(Source, value), list(value["notes"]), list(value["changed"]))


async def read_source(db: asyncpg.Connection, named: str) -> SourceView:
    """One source; raises NotFound."""
    return SourceView(await SourceStore().find(db, named))


async def create_source(
    db: asyncpg.Connection,
    given: ParsedChanges,
    options: FrontierOptions,
    *,
    force: bool = False,
    search_notes: Sequence[str] | None = None,
    dry_run: bool = False,
) -> SourceView:
    """Watch a site. Without feeds and sitemaps, workers search the site for them.

    `search_notes` are those of a search that the caller has just made: workers do not search again.

    Raises InvalidInput for values that cannot be read, and Conflict if the name is taken, or without `force`
    if the address is watched.
    """
    changes = given.checked()
    searched, notes = search_notes is not None, search_notes or ()
    async with one_transaction(db, dry_run=dry_run):
        if not force:
            await check_unwatched(db, changes)
        service = SourceService(FrontierStore(options))
        settled = await service.add(db, changes, searched=searched, search_notes=notes)
    return SourceView(settled.source, (*given.notes, *settled.notes), settled.changed)


async def update_source(
    db: asyncpg.Connection,
    named: str,
    given: ParsedChanges,
    options: FrontierOptions,
    check: CheckSource,
    *,
    dry_run: bool = False,
) -> SourceView:
    """Change a source that `check` accepts; it gets the source after its row is locked."""
    changes = given.checked()
    async with one_transaction(db, dry_run=dry_run):
        source = await _locked(db, named)
        check(SourceView(source))
        settled = await SourceService(FrontierStore(options)).change(db, source, changes)
    return SourceView(settled.source, (*given.notes, *settled.notes), settled.changed)


async def switch_source(
    db: asyncpg.Connection,
    named: str,
    options: FrontierOptions,
    check: CheckSource,
    *,
    reason: str | None = None,
) -> SourceView:
    """Enable a source, or disable it if there is a reason; raises Conflict if it is so already."""
    service = SourceService(FrontierStore(options))
    async with db.transaction():
        source = await _locked(db, named)
        check(SourceView(source))
        if reason is None:
            return SourceView(await service.enable(db, source))
        return SourceView(await service.disable(db, source, reason))


async def _locked(db: asyncpg.Connection, named: str) -> Source:
    store = SourceStore()
    public_id = (await store.find(db, named)).public_id
    await store.lock(db, public_id)
    return await store.find(db, str(public_id))
