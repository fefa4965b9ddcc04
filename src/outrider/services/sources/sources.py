"""Use cases of sources: find one by its name, enable, disable and remove it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.sources.owners import owner_called, owner_names, owner_with_id
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class SourceState(StrEnum):
    """The state of a source after a change."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class ChangedSource:
    """The source that was changed, and its new state."""

    name: str
    state: SourceState


async def source_id_named(db: asyncpg.Connection, name: str | None) -> int | None:
    """The number of the source of that name, number or id, None for None; raises NotFound."""
    if name is None:
        return None
    source_id = await owner_called(db, name)
    if source_id is None and (public_id := _uuid(name)) is not None:
        source_id = await owner_with_id(db, public_id)
    if source_id is None and _NUMBER.fullmatch(name) and await owner_names(db, [int(name)]):
        source_id = int(name)
    if source_id is not None:
        return source_id
    raise NotFound(f"there is no source {name!r}: `outrider stats` lists them")


async def enable_source(db: asyncpg.Connection, named: str, options: FrontierOptions) -> ChangedSource:
    """Watch a disabled source again; its queued URLs continue. Raises NotFound."""
    async with db.transaction():
        source = await SourceStore().find(db, named)
        await SourceService(FrontierStore(options)).enable(db, source)
    return ChangedSource(source.name, SourceState.ENABLED)


async def disable_source(
    db: asyncpg.Connection, named: str, reason: str, options: FrontierOptions
) -> ChangedSource:
    """Send no requests for a source; its URLs are kept and wait. Raises NotFound."""
    if not reason.strip():
        raise InvalidInput("a disabled source needs a reason, for later readers")
    async with db.transaction():
        source = await SourceStore().find(db, named)
        await SourceService(FrontierStore(options)).disable(db, source, reason)
    return ChangedSource(source.name, SourceState.DISABLED)


async def remove_source(db: asyncpg.Connection, named: str, options: FrontierOptions) -> ChangedSource:
    """Stop watching a source; its pages and its history stay. Raises NotFound."""
    async with db.transaction():
        source = await SourceStore().find(db, named)
        await SourceService(FrontierStore(options)).remove(db, source)
    return ChangedSource(source.name, SourceState.REMOVED)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
