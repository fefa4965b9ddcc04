"""The tables of the monitor: links of fields, checks of addresses, requested replacements."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.links.evidence import Verdict
from outrider.links.monitor.hrefs import FieldLink
from outrider.links.monitor.model import (
    LinkCounts,
    LinkKind,
    LinkState,
    LinkType,
    LinkUpdate,
    StoredCheck,
    StoredLink,
    StoredLinkStatus,
)
from outrider.links.reason import stored_reason
from outrider.urls import UrlKey

KEPT_CHECKS = 20  # of one address
MOST_UPDATES = 1_000

_SQL = Queries.load("outrider.links.monitor")


class LinkStore:
    """Each method runs in the transaction of its caller."""

    async def replace_field(
        self,
        db: asyncpg.Connection,
        site_id: int,
        source_key: str,
        links: Sequence[FieldLink],
        edit_url: str | None,
        kind: LinkKind = LinkKind.OTHER,
    ) -> list[StoredLink]:
        """Replace the links of a field; known links keep their state."""
        await db.execute(_SQL.drop_links, site_id, source_key, [link.url for link in links])
        await db.execute(
            _SQL.add_links,
            site_id,
            source_key,
            edit_url,
            kind,
            [link.url for link in links],
            [link.link_type for link in links],
            [link.key.host_id if link.key else None for link in links],
            [link.key.hash if link.key else None for link in links],
        )
        return [_link(row) for row in await db.fetch(_SQL.links_of_field, site_id, source_key)]

    async def count(self, db: asyncpg.Connection, site_id: int) -> int:
        return int(await db.fetchval(_SQL.fields_of_site, site_id))

    async def fields(
        self, db: asyncpg.Connection, site_id: int, source_keys: Sequence[str]
    ) -> dict[str, tuple[LinkKind, set[str]]]:
        """The kind and the addresses of some fields; a field without links is left out."""
        found: dict[str, tuple[LinkKind, set[str]]] = {}
        for row in await db.fetch(_SQL.links_of_fields, site_id, list(source_keys)):
            found.setdefault(row["source_key"], (LinkKind(row["kind"]), set()))[1].add(row["url"])
        return found

    async def keep_rendered(self, db: asyncpg.Connection, site_id: int, source_keys: Sequence[str]) -> int:
        """Remove rendered links of all other pages; returns how many."""
        return len(await db.fetch(_SQL.drop_rendered, site_id, list(source_keys)))

    async def set_states(self, db: asyncpg.Connection, states: Mapping[int, LinkState]) -> None:
        """Store the states of links by their ids."""
        found = list(states.values())
        await db.execute(
            _SQL.set_states,
            list(states),
            [state.status for state in found],
            [state.reason for state in found],
            [state.http_status for state in found],
            [state.moved_to for state in found],
            [state.pending_since for state in found],
        )

    async def internal_to(
        self, db: asyncpg.Connection, site_id: int, spellings: Collection[str]
    ) -> list[StoredLink]:
        """The links of a site to some of its paths, in any case."""
        return [_link(row) for row in await db.fetch(_SQL.links_to_paths, site_id, list(spellings))]

    async def internal_after(
        self, db: asyncpg.Connection, site_id: int, link_id: int, most: int
    ) -> list[StoredLink]:
        """Links within a site in the order of their ids, after one of them."""
        return [_link(row) for row in await db.fetch(_SQL.internal_links_after, site_id, link_id, most)]

    async def count_dead(self, db: asyncpg.Connection, most: int) -> int:
        """The dead links of all sites that are not ignored; counting stops at `most`."""
        return int(await db.fetchval(_SQL.count_dead, most))

    async def dead_by_site(self, db: asyncpg.Connection, site_ids: Sequence[int]) -> dict[int, int]:
        """The dead links of some sites; a site without any is left out."""
        return {row["site_id"]: row["dead"] for row in await db.fetch(_SQL.dead_by_site, list(site_ids))}

    async def remove_site(self, db: asyncpg.Connection, site_id: int) -> None:
        """Remove all links of a site."""
        await db.execute(_SQL.remove_links_of_site, site_id)

    async def is_wanted(self, db: asyncpg.Connection, key: UrlKey) -> bool:
        """Whether any link has this entry."""
        return bool(await db.fetchval(_SQL.is_wanted, key.host_id, key.hash))

    async def add_check(
        self, db: asyncpg.Connection, key: UrlKey, state: LinkState, evidence: Sequence[Any]
    ) -> list[Mapping[str, Any]]:
        """Record a check, and store its verdict for all links; returns the links whose status changed."""
        values = (state.status, state.reason, state.http_status, state.moved_to, state.pending_since)
        await db.execute(_SQL.add_check, key.host_id, key.hash, *values, evidence)
        await db.execute(_SQL.drop_old_checks, key.host_id, key.hash, KEPT_CHECKS)
        rows = await db.fetch(_SQL.set_states_of_entry, key.host_id, key.hash, *values)
        return [dict(row) for row in rows if row["old_status"] != state.status]

    async def checks(
        self, db: asyncpg.Connection, key: UrlKey, limit: int = KEPT_CHECKS
    ) -> list[StoredCheck]:
        """The newest checks of an address, newest first."""
        return [_check(row) for row in await db.fetch(_SQL.checks_of_entry, key.host_id, key.hash, limit)]

    async def links(
        self,
        db: asyncpg.Connection,
        site_id: int,
        status: StoredLinkStatus | None,
        link_type: LinkType | None,
        *,
        with_ignored: bool,
        limit: int,
        offset: int,
    ) -> tuple[list[StoredLink], int]:
        """A part of the links of a site, the worst first, and how many there are."""
        wanted = (site_id, status, link_type, with_ignored)
        rows = await db.fetch(_SQL.list_links, *wanted, limit, offset)
        total: int = await db.fetchval(_SQL.count_listed, *wanted)
        return [_link(row) for row in rows], total

    async def link(self, db: asyncpg.Connection, site_id: int, link_id: int) -> StoredLink | None:
        row = await db.fetchrow(_SQL.link_of_site, site_id, link_id)
        return None if row is None else _link(row)

    async def counts(self, db: asyncpg.Connection, site_id: int) -> LinkCounts:
        """The links of a site by status."""
        rows = await db.fetch(_SQL.count_statuses, site_id)
        by_status = {row["status"]: row["links"] for row in rows if not row["is_ignored"]}
        return LinkCounts(**by_status, ignored=sum(row["links"] for row in rows if row["is_ignored"]))

    async def set_ignored(
        self, db: asyncpg.Connection, site_id: int, link_id: int, is_ignored: bool
    ) -> StoredLink | None:
        row = await db.fetchrow(_SQL.set_ignored, site_id, link_id, is_ignored)
        return None if row is None else _link(row)

    async def request_update(self, db: asyncpg.Connection, link: StoredLink, replacement: str) -> None:
        """Ask the system of the owner to replace a link in its field."""
        await db.execute(_SQL.request_update, link.link_id, link.site_id, replacement)

    async def updates(self, db: asyncpg.Connection, site_id: int) -> list[LinkUpdate]:
        """The replacements that are not made yet, oldest first."""
        return [
            LinkUpdate(**dict(row)) for row in await db.fetch(_SQL.updates_of_site, site_id, MOST_UPDATES)
        ]


def _link(row: asyncpg.Record) -> StoredLink:
    return StoredLink(
        link_id=row["link_id"],
        site_id=row["site_id"],
        source_key=row["source_key"],
        url=row["url"],
        link_type=LinkType(row["link_type"]),
        status=StoredLinkStatus(row["status"]),
        http_status=row["http_status"],
        reason=None if row["reason"] is None else stored_reason(row["reason"]),
        moved_to=row["moved_to"],
        pending_since=row["pending_since"],
        last_checked_at=row["last_checked_at"],
        is_ignored=row["is_ignored"],
        edit_url=row["edit_url"],
        kind=LinkKind(row["kind"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _check(row: asyncpg.Record) -> StoredCheck:
    evidence = row["evidence"]
    return StoredCheck(
        checked_at=row["checked_at"],
        verdict=Verdict(row["verdict"]),
        reason=stored_reason(row["reason"]),
        http_status=row["http_status"],
        moved_to=row["moved_to"],
        pending_since=row["pending_since"],
        evidence=json.loads(evidence) if isinstance(evidence, str) else evidence,
    )
