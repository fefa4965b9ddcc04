"""Use cases of one source as a resource: create it, read it, change it, switch it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.as_json import as_json
from outrider.services.source_add import check_unwatched
from outrider.sources.model import Source
from outrider.sources.source_changes import ParsedChanges
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

CheckSource = Callable[["SourceView"], None]


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as operators set it up. Figures, which change all the time, are in the list and the details.

    `notes` are for the operator who changed it.
    """

    source: Source
    notes: Sequence[str] = ()

    def json_form(self) -> dict[str, Any]:
        return {"id": self.source.public_id, **as_json(self.source), "notes": self.notes}


async def read_source(db: asyncpg.Connection, named: str) -> SourceView:
    """One source; raises NotFound."""
    return SourceView(await SourceStore().find(db, named))


async def create_source(
    db: asyncpg.Connection, given: ParsedChanges, options: FrontierOptions, *, force: bool = False
) -> SourceView:
    """Watch a site. Without feeds and sitemaps, workers search the site for them.

    Raises InvalidInput for values that cannot be read, and Conflict if the name is taken, or without `force`
    if the address is watched.
    """
    changes = given.checked()
    async with db.transaction():
        if not force:
            await check_unwatched(db, changes)
        settled = await SourceService(FrontierStore(options)).add(db, changes)
    return SourceView(settled.source, (*given.notes, *settled.notes))


async def update_source(
    db: asyncpg.Connection,
    named: str,
    given: ParsedChanges,
    options: FrontierOptions,
    check: CheckSource,
) -> SourceView:
    """Change a source that `check` accepts; it gets the source after its row is locked."""
    changes = given.checked()
    async with db.transaction():
        source = await _locked(db, named)
        check(SourceView(source))
        settled = await SourceService(FrontierStore(options)).change(db, source, changes)
    return SourceView(settled.source, (*given.notes, *settled.notes))


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
