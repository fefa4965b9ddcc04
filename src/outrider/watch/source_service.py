"""Adds, changes, disables, enables and removes sources, with their rows, hosts and queued URLs.

Each function makes its writes on the connection it is given; the caller opens the transaction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.frontier.model import EntryKind, Submission, UrlOrigin
from outrider.frontier.priority import SEED
from outrider.frontier.store import FrontierStore
from outrider.sources.fields import FIELDS, field_values
from outrider.sources.model import ADHOC, RenderMode, Source
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.urls import host_of, key_of
from outrider.watch.channels.model import FoundBy, NewChannel
from outrider.watch.channels.store import ChannelStore

URL_RULES = frozenset(("keep_slash", "tracking_keep", "tracking_add"))
RULES_CHANGED = "stored URLs keep their spelling until `outrider rehash --again` brings them to these rules"
LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """A source after a change, the names of the changed fields, and notes for the operator."""

    source: Source
    changed: tuple[str, ...] = ()  # empty: nothing changed
    notes: tuple[str, ...] = ()


class SourceService:
    """Sources and their part of the queue."""

    def __init__(self, frontier: FrontierStore) -> None:
        self._frontier = frontier
        self._store = SourceStore()
        self._channels = ChannelStore()

    async def add(
        self,
        db: asyncpg.Connection,
        changes: SourceChanges,
        *,
        searched: bool = False,
        search_notes: Sequence[str] = (),
    ) -> ChangeResult:
        """Add a source; raises Conflict when its name or key is taken.

        A removed source with the same address is revived with its history. `searched`: the caller has just
        searched the site for feeds and sitemaps, with `search_notes` as the result.
        """
        new = changes.as_source()
        source = await self._store.restore_removed(db, new.url, new.name)
        if source is None:
            source = await self._store.add(db, new)
        else:
            source = await self._store.change(db, changes.applied_to(source))
        source = await self._resume(db, source)
        await self._store.claim_hosts(db, source)
        if searched:
            await self._store.mark_searched(db, source.source_id, search_notes)
        _, notes = await self._add_channels(db, source, changes)
        notes += _without_scripts(source, changes)
        await self._queue_front_page(db, source)
        if changes.enabled is False:
            source = await self.disable(db, source, "added as disabled")
        return ChangeResult(source, ("added",), notes)

    async def change(self, db: asyncpg.Connection, source: Source, changes: SourceChanges) -> ChangeResult:
        """Apply the changes to `source`. Queued URLs stay queued in every mode (SRC-03)."""
        wanted = changes.applied_to(source)
        changed = [*_differences(source, wanted)]
        before, after = source, wanted
        if wanted != source:
            after = await self._store.change(db, wanted)
            await self._store.claim_hosts(db, after)
            await self._set_poll_interval(db, before, after)
        added, notes = await self._add_channels(db, after, changes)
        changed += ["channels"] if added else []
        notes += _without_scripts(after, changes) if "render_mode" in changed else ()
        notes += (RULES_CHANGED,) if URL_RULES & set(changed) else ()
        if (after.mode.follows_links and not before.mode.follows_links) or after.url != before.url:
            await self._queue_front_page(db, after)
        if changes.enabled is not None and changes.enabled != before.enabled:
            changed.append("enabled")
            if changes.enabled:
                after = await self.enable(db, after)
            else:
                after = await self.disable(db, after, "disabled by an edit")
        return ChangeResult(after, tuple(changed), notes)

    async def disable(self, db: asyncpg.Connection, source: Source, reason: str) -> Source:
        """Disable a source and hold its URLs. Raises InvalidInput without a reason, Conflict if disabled."""
        reason = " ".join(reason.split())[:LONGEST_REASON]
        if not reason:
            raise InvalidInput("say why it is disabled: the reason is shown with the source")
        disabled = await self._store.disable(db, source, reason)
        await self._frontier.hold_source(db, source.source_id, served_with_others=False)
        return replace(disabled, held=True)

    async def enable(self, db: asyncpg.Connection, source: Source) -> Source:
        """Raises Conflict if the source is enabled."""
        if source.enabled and not source.held:
            raise Conflict(f"{source.name!r} is enabled already")
        return await self._resume(db, source)

    async def wake(self, db: asyncpg.Connection) -> int:
        """Resume the enabled sources and the adhoc URLs that a crawl held; returns how many sources."""
        sources = await self._store.suspended(db)
        for source in sources:
            await self.enable(db, source)
        await self._frontier.resume_source(db, ADHOC)
        return len(sources)

    async def remove(self, db: asyncpg.Connection, source: Source) -> None:
        """Remove a source: workers claim none of its URLs any more, and its history stays (FRO-18)."""
        await self._store.remove(db, source)
        await self._channels.drop_all(db, source.source_id)
        await self._frontier.hold_source(db, source.source_id, served_with_others=False)
        await self._frontier.leave_runs(db, source.source_id)

    async def _resume(self, db: asyncpg.Connection, source: Source) -> Source:
        enabled = await self._store.enable(db, source)
        await self._frontier.resume_source(db, source.source_id)
        return replace(enabled, held=False)

    async def _add_channels(
        self, db: asyncpg.Connection, source: Source, changes: SourceChanges
    ) -> tuple[int, tuple[str, ...]]:
        wanted = [
            *(NewChannel(url, EntryKind.FEED, FoundBy.MANUAL) for url in changes.feeds),
            *(NewChannel(url, EntryKind.SITEMAP, FoundBy.MANUAL) for url in changes.sitemaps),
        ]
        owners = await self._store.channel_owners(db, [channel.url for channel in wanted])
        notes = announced_elsewhere(owners, source.source_id)
        new = [channel for channel in wanted if channel.url not in owners]
        added = await self._channels.add(db, self._frontier, source.source_id, new) if new else 0
        return added, notes

    async def _set_poll_interval(self, db: asyncpg.Connection, before: Source, after: Source) -> None:
        """Apply a new poll interval at once, not after the next poll."""
        intervals = {
            EntryKind.FEED: (before.policy.poll_s, after.policy.poll_s),
            EntryKind.SITEMAP: (before.policy.sitemap_poll_s, after.policy.sitemap_poll_s),
        }
        for kind, (old_s, new_s) in intervals.items():
            if new_s != old_s:
                await self._channels.set_poll_interval(db, self._frontier, after.source_id, kind, new_s)

    async def _queue_front_page(self, db: asyncpg.Connection, source: Source) -> None:
        if source.mode.follows_links:
            page = front_page(source)
            await self._frontier.ingest(db, [page])
            await self._frontier.visit_again(db, [page.key], source.source_id)


def announced_elsewhere(owners: Mapping[str, tuple[int, str]], source_id: int) -> tuple[str, ...]:
    """Notes about channels of another source; `owners` comes from `SourceStore.channel_owners`."""
    return tuple(
        f"{url} announces pages of {name!r} already, and stays there"
        for url, (owner_id, name) in owners.items()
        if owner_id != source_id
    )


def _differences(before: Source, after: Source) -> Iterator[str]:
    """The names of the fields in which two states of a source differ."""
    old, new = field_values(before), field_values(after)
    return (name for name in FIELDS if old.get(name) != new.get(name))


def _without_scripts(source: Source, changes: SourceChanges) -> tuple[str, ...]:
    """FET-22: a source may ask for rendering. The request is stored, and a note says it has no effect."""
    if changes.render_mode is not RenderMode.DYNAMIC:
        return ()
    return (f"no renderer is configured: pages of {source.name!r} are read as the server sends them",)


def front_page(source: Source) -> Submission:
    return Submission(
        key=key_of(source.url),
        url=source.url,
        host=host_of(source.url),
        priority=SEED,
        source_id=source.source_id,
        origin=UrlOrigin.MANUAL,
    )
