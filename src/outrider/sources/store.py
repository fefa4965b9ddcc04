"""The tables of sources: every method runs named queries, and takes and returns model objects."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any
from unicodedata import normalize as written_in
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidUrl, NotFound
from outrider.frontier.model import EntryKind
from outrider.sources.model import (
    ADHOC,
    ChannelLine,
    Mode,
    NewSource,
    RenderMode,
    Source,
    SourceFilter,
    SourceLine,
)
from outrider.sources.policy import policy_of_row
from outrider.sources.scope import Scope, ScopeKind
from outrider.urls import UrlKey, host_id_of, host_of, key_of, normalize

MOST_CHANNELS_SHOWN = 1_000
_LARGEST_ID = 2**31 - 1
_ADDED_LATER = ("source", "start_leads_to")  # fields of `SourceLine` that are not in its row


class SourceStore:
    """Sources that are watched, their hosts and their channels."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.sources")

    async def add(self, db: asyncpg.Connection, new: NewSource) -> Source:
        """Raises Conflict when the name or the identity key is taken."""
        try:
            async with db.transaction():
                return _watched(await db.fetchrow(self._sql.add_source, *_stored(new)))
        except asyncpg.UniqueViolationError:
            raise await self._is_taken(db, new) from None

    async def restore_removed(self, db: asyncpg.Connection, url: str, name: str) -> Source | None:
        """Revive the removed source of this address under a new name, still held; None if there is none."""
        try:
            async with db.transaction():
                row = await db.fetchrow(self._sql.revive_source, url, name)
        except asyncpg.UniqueViolationError:
            raise await self._name_is_taken(db, name) from None
        return None if row is None else _watched(row)

    async def change(self, db: asyncpg.Connection, wanted: Source) -> Source:
        """Raises Conflict if the name or key is taken, or if the source changed since it was read."""
        try:
            async with db.transaction():
                row = await db.fetchrow(
                    self._sql.change_source, wanted.source_id, wanted.updated_at, *_stored(wanted)
                )
        except asyncpg.UniqueViolationError:
            raise await self._is_taken(db, wanted) from None
        if row is None:
            raise Conflict(f"{wanted.name!r} was changed at the same time: look at it and try again")
        return _watched(row)

    async def addresses(self, db: asyncpg.Connection) -> list[str]:
        """The addresses of all enabled sources."""
        return [row["url"] for row in await db.fetch(self._sql.addresses)]

    async def ignoring_robots(self, db: asyncpg.Connection) -> list[str]:
        """The names of enabled sources whose policy says not to obey robots.txt."""
        rows = await db.fetch(self._sql.enabled_policies)
        return [row["name"] for row in rows if policy_of_row(row).ignore_robots]

    async def disable(self, db: asyncpg.Connection, source: Source, reason: str) -> Source:
        """Raises Conflict if the source is disabled."""
        row = await db.fetchrow(self._sql.disable_source, source.source_id, reason)
        if row is None:
            raise Conflict(f"{source.name!r} is disabled already")
        return _watched(row)

    async def suspended(self, db: asyncpg.Connection) -> list[Source]:
        """Sources that are enabled and held: a crawl on the same database holds them."""
        return [_watched(row) for row in await db.fetch(self._sql.suspended_sources)]

    async def enable(self, db: asyncpg.Connection, source: Source) -> Source:
        row = await db.fetchrow(self._sql.enable_source, source.source_id)
        if row is None:
            raise NotFound(f"{source.name!r} is not watched any more")
        return _watched(row)

    async def remove(self, db: asyncpg.Connection, source: Source) -> None:
        """Free the name and the hosts; the row stays. Raises NotFound if the source was removed."""
        if await db.fetchval(self._sql.remove_source, source.source_id) is None:
            raise NotFound(f"{source.name!r} is not watched any more")
        await db.execute(self._sql.free_hosts, source.source_id)

    async def mark_searched(self, db: asyncpg.Connection, source_id: int, notes: Sequence[str] = ()) -> None:
        """Record a search for feeds and sitemaps that just ended; `notes` are its results."""
        await db.execute(self._sql.mark_searched, source_id, list(notes))

    async def find(self, db: asyncpg.Connection, named: str) -> Source:
        """Find a source by name, number, public id or address; raises NotFound with similar names."""
        row = await self._find(db, named)
        if row is not None:
            return _watched(row)
        near = [each["name"] for each in await db.fetch(self._sql.similar_names, named)]
        hint = f"; there is {', '.join(map(repr, near))}" if near else ""
        raise NotFound(f"no source is called {named[:200]!r}{hint}")

    async def by_name(self, db: asyncpg.Connection, name: str) -> Source | None:
        """The source with exactly this name, in any Unicode form."""
        row = await db.fetchrow(self._sql.find_source, None, None, name, [])
        return _watched(row) if row is not None and _composed(row["name"]) == _composed(name) else None

    async def by_identity(self, db: asyncpg.Connection, key: str) -> Source | None:
        row = await db.fetchrow(self._sql.source_of_identity, key)
        return None if row is None else _watched(row)

    async def by_id(self, db: asyncpg.Connection, source_id: int) -> Source:
        """The source with this number; raises NotFound if it was removed or never existed."""
        found = await self.if_watched(db, source_id)
        if found is None:
            raise NotFound(f"source {source_id} is not watched any more")
        return found

    async def if_watched(self, db: asyncpg.Connection, source_id: int) -> Source | None:
        """The source with this number; None if it was removed or never existed."""
        row = await db.fetchrow(self._sql.source_of_number, source_id)
        return None if row is None else _watched(row)

    async def by_public_id(self, db: asyncpg.Connection, public_id: UUID) -> Source | None:
        """None if the source was removed or never existed."""
        row = await db.fetchrow(self._sql.source_of_public_id, public_id)
        return None if row is None else _watched(row)

    async def lock(self, db: asyncpg.Connection, public_id: UUID) -> None:
        """Lock the source until the transaction ends."""
        await db.execute(self._sql.lock_source, public_id)

    async def all_watched(self, db: asyncpg.Connection) -> list[tuple[UUID, str, bool]]:
        """Public id and name of every source, and whether it is enabled."""
        return [
            (row["public_id"], row["name"], row["enabled"]) for row in await db.fetch(self._sql.all_watched)
        ]

    async def by_url(self, db: asyncpg.Connection, url: str) -> Source | None:
        """The first source of a normalised address."""
        row = await db.fetchrow(self._sql.find_source, None, None, "", [url])
        return None if row is None else _watched(row)

    async def page(self, db: asyncpg.Connection, wanted: SourceFilter) -> tuple[list[SourceLine], int]:
        """A page of the list, and the total number of sources."""
        rows = await self._list(db, wanted)
        if not rows and wanted.offset:  # beyond the end: the total is that of the first page
            _, total = await self.page(db, replace(wanted, offset=0, limit=1))
            return [], total
        listed = await self._with_start_pages(db, [_listed(row) for row in rows])
        return listed, rows[0]["total"] if rows else 0

    async def listed(self, db: asyncpg.Connection, source_id: int) -> SourceLine:
        [row] = await self._list(db, SourceFilter(limit=1), source_id)
        [listed] = await self._with_start_pages(db, [_listed(row)])
        return listed

    async def channels(self, db: asyncpg.Connection, source_id: int) -> list[ChannelLine]:
        rows = await db.fetch(self._sql.channels_of, source_id, MOST_CHANNELS_SHOWN)
        return [ChannelLine(**(dict(row) | {"kind": EntryKind(row["kind"])})) for row in rows]

    async def channel_addresses(
        self, db: asyncpg.Connection, source_ids: Collection[int]
    ) -> dict[int, list[tuple[EntryKind, str]]]:
        """Kind and address of the feeds and sitemaps of many sources."""
        found: dict[int, list[tuple[EntryKind, str]]] = {source_id: [] for source_id in source_ids}
        for row in await db.fetch(self._sql.channel_addresses, list(source_ids)):
            found[row["source_id"]].append((EntryKind(row["kind"]), row["url"]))
        return found

    async def channel_owners(self, db: asyncpg.Connection, urls: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Number and name of the source of each channel. Channels without a source are missing."""
        keys = {key_of(url): url for url in urls}
        rows = await db.fetch(self._sql.owners_of_channels, [key.hash for key in keys])
        owners = {UrlKey(row["host_id"], row["url_hash"].hex): row for row in rows}
        return {
            url: (owners[key]["source_id"], owners[key]["name"]) for key, url in keys.items() if key in owners
        }

    async def claim_hosts(self, db: asyncpg.Connection, source: Source) -> None:
        """Claim the hosts of the source that no other source has. URLs without a source go to the host's."""
        hosts = sorted(Scope.of(ScopeKind.HOST, [source.url]).hosts)
        await db.execute(self._sql.claim_hosts, source.source_id, [host_id_of(host) for host in hosts], hosts)

    async def sources_of(self, db: asyncpg.Connection, hosts: Collection[str]) -> dict[str, int]:
        """The source of each host. Hosts without a source are missing."""
        ids = {host_id_of(host): host for host in hosts}
        rows = await db.fetch(self._sql.owners_of_hosts, list(ids))
        return {ids[row["host_id"]]: row["source_id"] for row in rows}

    async def source_for(self, db: asyncpg.Connection, url: str) -> int:
        """SRC-18: the source of a normalised URL, by its host; adhoc if there is none."""
        host = host_of(url)
        return (await self.sources_of(db, [host])).get(host, ADHOC)

    async def _find(self, db: asyncpg.Connection, named: str) -> Any:
        number = int(named) if named.isascii() and named.isdigit() and len(named) <= 10 else None
        return await db.fetchrow(
            self._sql.find_source,
            number if number is not None and number <= _LARGEST_ID else None,
            _uuid(named),
            named,
            _addresses(named),
        )

    async def _list(
        self, db: asyncpg.Connection, wanted: SourceFilter, source_id: int | None = None
    ) -> Sequence[Any]:
        return await db.fetch(
            self._sql.list_sources,
            wanted.search,
            wanted.enabled,
            wanted.mode.value if wanted.mode else None,
            wanted.feed_active,
            source_id,
            wanted.silent,
            wanted.failing,
            wanted.limit,
            wanted.offset,
            wanted.label,
            wanted.sort.value,
            wanted.descending,
        )

    async def _with_start_pages(
        self, db: asyncpg.Connection, listed: Sequence[SourceLine]
    ) -> list[SourceLine]:
        """Add the redirect targets of start pages, for sources that follow links (RDC-18)."""
        keys = {key_of(each.source.url) for each in listed if each.source.mode.follows_links}
        if not keys:
            return list(listed)
        rows = await db.fetch(
            self._sql.refused_start_pages, [key.host_id for key in keys], [key.hash for key in keys]
        )
        leads = {UrlKey(row["host_id"], row["url_hash"].hex): row["to_url"] for row in rows}
        return [replace(each, start_leads_to=leads.get(key_of(each.source.url))) for each in listed]

    async def _is_taken(self, db: asyncpg.Connection, wanted: NewSource | Source) -> Conflict:
        """The Conflict that names the taken identity key or name."""
        key = wanted.identity_key
        holder = await self.by_identity(db, key) if key else None
        if holder is None or (isinstance(wanted, Source) and holder.source_id == wanted.source_id):
            return await self._name_is_taken(db, wanted.name)
        return Conflict(f"{holder.name!r} has the identity key {key!r} already: a key belongs to one source")

    async def _name_is_taken(self, db: asyncpg.Connection, name: str) -> Conflict:
        kind = await db.fetchval(self._sql.name_holder, name)
        what = "a source" if kind == "watch" else "something else"
        return Conflict(f"{what} is called {name!r} already: choose another name")


def _watched(row: Any) -> Source:
    values = {each.name: row[each.name] for each in fields(Source)}
    typed = {
        "mode": Mode(row["mode"]),
        "policy": policy_of_row(row),
        "render_mode": RenderMode(row["render_mode"]),
    }
    return Source(**values | typed)


def _stored(source: NewSource | Source) -> tuple[Any, ...]:
    """The columns of a source in the order of the statements' parameters."""
    return (
        source.name,
        source.url,
        source.mode.value,
        source.priority,
        source.policy.to_json(),
        source.selectors,
        source.template,
        list(source.labels),
        source.render_mode.value,
        source.identity_key,
        source.allow_source_discovery,
    )


def _listed(row: Any) -> SourceLine:
    others = {each.name: row[each.name] for each in fields(SourceLine) if each.name not in _ADDED_LATER}
    return SourceLine(source=_watched(row), **others)


def _composed(name: str) -> str:
    return written_in("NFC", name)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _addresses(text: str) -> list[str]:
    """The normalised addresses that `text` may mean; both schemes if it has none."""
    found = []
    for address in (text,) if "://" in text else (f"https://{text}", f"http://{text}"):
        try:
            found.append(normalize(address))
        except InvalidUrl:
            continue
    return found
