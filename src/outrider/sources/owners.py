"""The owner of a URL: a watched source, a crawl command, or the system source `adhoc`.

Code that works for every owner of URLs uses this file. Watched sources have `store.py`, crawl commands have
`crawl_commands.py`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.sources.model import Mode
from outrider.sources.policy import Policy, policy_of_row

_SQL = Queries.load("outrider.sources")


class OwnerKind(StrEnum):
    """The kind of a row in the table `source`."""

    SYSTEM = "system"  # adhoc: the owner of URLs that belong to no source
    CRAWL = "crawl"  # a crawl command
    WATCH = "watch"  # a watched source


@dataclass(frozen=True, slots=True)
class UrlOwner:
    """An owner of URLs, and how its URLs are crawled."""

    source_id: int
    name: str
    policy: Policy
    held: bool = False  # its URLs wait outside the queue
    kind: OwnerKind = OwnerKind.CRAWL
    mode: Mode = Mode.SPIDER
    selectors: Mapping[str, Any] | None = None
    template: str | None = None

    @property
    def is_watched(self) -> bool:
        return self.kind is OwnerKind.WATCH


async def owner_by_id(db: asyncpg.Connection, source_id: int) -> UrlOwner:
    """Raises NotFound if there is no such owner."""
    row = await db.fetchrow(_SQL.owner_by_id, source_id)
    if row is None:
        raise NotFound(f"there is no source {source_id}")
    return owner_of_row(row)


async def owner_called(db: asyncpg.Connection, name: str) -> int | None:
    """The number of the owner that has exactly this name."""
    source_id: int | None = await db.fetchval(_SQL.owner_called, name)
    return source_id


async def owner_with_id(db: asyncpg.Connection, public_id: UUID) -> int | None:
    """The number of the owner that other programs know by this id."""
    source_id: int | None = await db.fetchval(_SQL.owner_with_id, public_id)
    return source_id


async def all_owners(db: asyncpg.Connection) -> list[UrlOwner]:
    """All owners, ordered by their numbers."""
    return [owner_of_row(row) for row in await db.fetch(_SQL.all_owners)]


async def owners_with_pending_urls(db: asyncpg.Connection, kind: OwnerKind | None = None) -> list[UrlOwner]:
    """Owners of this kind, or of every kind, that have URLs to fetch."""
    rows = await db.fetch(_SQL.owners_with_pending_urls, None if kind is None else kind.value)
    return [owner_of_row(row) for row in rows]


async def owner_names(db: asyncpg.Connection, source_ids: Collection[int]) -> dict[int, str]:
    """The names of these owners, by their numbers. Unknown numbers are left out."""
    rows = await db.fetch(_SQL.owner_names, list(source_ids))
    return {row["source_id"]: row["name"] for row in rows}


def owner_of_row(row: Any) -> UrlOwner:
    known = {each.name: row[each.name] for each in fields(UrlOwner)}
    return UrlOwner(
        **known
        | {
            "policy": policy_of_row(row),
            "kind": OwnerKind(row["kind"]),
            "mode": Mode(row["mode"]),
        }
    )
