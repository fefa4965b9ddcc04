"""Changes of many sources at once, each in a transaction of its own: one that refuses stops no other."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import asyncpg

from outrider.db.retry import retrying
from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.transaction import one_transaction
from outrider.sources.model import Source, SourceFilter
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

MOST_CHANGED = 10_000


class SourceVerb(StrEnum):
    """What a command does to sources."""

    ENABLE = "enable"
    DISABLE = "disable"
    LABEL = "label"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class SourceSelection:
    """The sources that a command is about: named ones, or all that match."""

    named: Sequence[str] = ()
    label: str | None = None
    search: str = ""


@dataclass(frozen=True, slots=True)
class SourceCommand:
    """A verb with its values."""

    verb: SourceVerb
    reason: str = ""  # of disabling
    add_labels: Sequence[str] = ()
    remove_labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BulkSourceResult:
    """What a command did to one source. `error` is the sentence of a source that refused."""

    source_id: int | None  # None: there is no such source
    id: UUID | None
    name: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SourceResults:
    """What a command did to many sources."""

    dry_run: bool
    changed: int
    refused: int
    sources: Sequence[BulkSourceResult]


async def change_sources(
    db: asyncpg.Connection,
    selection: SourceSelection,
    command: SourceCommand,
    options: FrontierOptions,
    *,
    dry_run: bool = False,
) -> SourceResults:
    """Change the selected sources. A dry run does the same and rolls each change back."""
    service = SourceService(FrontierStore(options))
    results = []
    for name in selection.named or await _selected(db, selection):
        results.append(await _change(db, service, name, command, dry_run=dry_run))
    refused = sum(each.error is not None for each in results)
    return SourceResults(dry_run, len(results) - refused, refused, results)


async def _selected(db: asyncpg.Connection, selection: SourceSelection) -> list[str]:
    wanted = SourceFilter(search=selection.search, label=selection.label, limit=MOST_CHANGED)
    lines, total = await SourceStore().page(db, wanted)
    if total > MOST_CHANGED:
        raise InvalidInput(f"{total:,} sources match, and one command changes up to {MOST_CHANGED:,}")
    if not lines:
        raise NotFound("no source matches")
    return [str(line.source.public_id) for line in lines]


async def _change(
    db: asyncpg.Connection, service: SourceService, named: str, command: SourceCommand, *, dry_run: bool
) -> BulkSourceResult:
    source: Source | None = None

    async def attempt() -> None:
        nonlocal source
        async with one_transaction(db, dry_run=dry_run):
            source = await SourceStore().find(db, named)
            await _apply(db, service, source, command)

    try:
        await retrying(attempt)
    except (Conflict, NotFound, InvalidInput) as error:
        if source is None:
            return BulkSourceResult(None, None, named, str(error))
        return BulkSourceResult(source.source_id, source.public_id, source.name, str(error))
    assert source is not None, "an attempt without an error has found it"
    return BulkSourceResult(source.source_id, source.public_id, source.name)


async def _apply(
    db: asyncpg.Connection, service: SourceService, source: Source, command: SourceCommand
) -> None:
    match command.verb:
        case SourceVerb.ENABLE:
            await service.enable(db, source)
        case SourceVerb.DISABLE:
            await service.disable(db, source, command.reason)
        case SourceVerb.REMOVE:
            await service.remove(db, source)
        case SourceVerb.LABEL:
            kept = [label for label in source.labels if label not in command.remove_labels]
            labels = list(dict.fromkeys([*kept, *command.add_labels]))
            await service.change(db, source, SourceChanges(labels=labels))
