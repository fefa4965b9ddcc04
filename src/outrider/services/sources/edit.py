"""Use cases that change a source: its fields, its feeds and sitemaps."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.sources.lists import SourceChannels
from outrider.services.transaction import one_transaction
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.channels.switch import ChannelSwitch
from outrider.watch.source_service import SourceService


@dataclass(frozen=True, slots=True)
class EditedSource:
    """The changed fields of a source, or those that would change in a dry run."""

    name: str
    changed: Sequence[str]
    notes: Sequence[str]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class ChannelEdits:
    """Feeds and sitemaps to add (`added`), and numbers or addresses of others to disable, enable or drop."""

    added: SourceChanges = field(default_factory=SourceChanges)
    disabled: Sequence[str] = ()
    enabled: Sequence[str] = ()
    dropped: Sequence[str] = ()
    reason: str = ""  # of the disabled ones


async def edit_source(
    db: asyncpg.Connection,
    named: str,
    changes: SourceChanges,
    options: FrontierOptions,
    *,
    dry_run: bool = False,
) -> EditedSource:
    """Change fields of a source; its queued URLs stay queued. Raises NotFound and Conflict."""
    async with one_transaction(db, dry_run=dry_run):
        source = await SourceStore().find(db, named)
        settled = await SourceService(FrontierStore(options)).change(db, source, changes)
    return EditedSource(settled.source.name, settled.changed, settled.notes, dry_run)


async def edit_channels(
    db: asyncpg.Connection, named: str, edits: ChannelEdits, options: FrontierOptions
) -> SourceChannels:
    """Add, drop, disable and enable feeds and sitemaps; returns all of the source. Raises NotFound."""
    store, frontier = SourceStore(), FrontierStore(options)
    switch = ChannelSwitch(frontier)
    async with db.transaction():
        source = await store.find(db, named)
        for each in edits.disabled:
            await switch.off(db, await switch.find(db, source, each), edits.reason)
        for each in edits.enabled:
            await switch.on(db, await switch.find(db, source, each))
        for each in edits.dropped:
            await switch.drop(db, await switch.find(db, source, each))
        notes = (await SourceService(frontier).change(db, source, edits.added)).notes
        return SourceChannels(await store.channels(db, source.source_id), notes)
