"""The tables `site` and `site_path`: every method runs named queries, and takes and returns model objects."""

from collections.abc import Collection, Sequence
from typing import Any

import asyncpg

from outrider.db.pages import fetch_page
from outrider.db.queries import Queries
from outrider.errors import Conflict, NotFound
from outrider.sites.keys import hash_of, is_plausible, is_same
from outrider.sites.model import LivePath, OwnedSite, PathKind, SiteSettings

_LARGEST_ID = 2**31 - 1


class SiteStore:
    """Sites and their keys."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.sites")

    async def add(
        self,
        db: asyncpg.Connection,
        name: str,
        base_url: str,
        hosts: Sequence[str],
        settings: SiteSettings,
        key: str,
    ) -> OwnedSite:
        """Raises Conflict if the name is taken."""
        row = await db.fetchrow(
            self._sql.add_site, name, base_url, list(hosts), settings.as_stored(), hash_of(key)
        )
        if row is None:
            raise Conflict(f"there is a site {name!r} already: choose another name")
        return site_of_row(row)

    async def change(self, db: asyncpg.Connection, wanted: OwnedSite) -> OwnedSite:
        """Raises NotFound if the site is gone, and Conflict if its new name is taken."""
        try:
            async with db.transaction():
                row = await db.fetchrow(
                    self._sql.change_site,
                    wanted.site_id,
                    wanted.name,
                    wanted.base_url,
                    list(wanted.hosts),
                    wanted.settings.as_stored(),
                )
        except asyncpg.UniqueViolationError:
            raise Conflict(f"there is a site {wanted.name!r} already: choose another name") from None
        if row is None:
            raise NotFound(f"the site {wanted.name!r} was removed")
        return site_of_row(row)

    async def remove(self, db: asyncpg.Connection, site_id: int) -> None:
        await db.execute(self._sql.remove_site, site_id)

    async def find(self, db: asyncpg.Connection, named: str) -> OwnedSite:
        """A site by name or number; raises NotFound."""
        is_number = named.isascii() and named.isdigit() and int(named[:20]) <= _LARGEST_ID
        row = await db.fetchrow(self._sql.site_by_name, named, int(named) if is_number else None)
        if row is None:
            raise NotFound(f"there is no site {named[:200]!r}: `outrider site list` shows them")
        return site_of_row(row)

    async def lock(self, db: asyncpg.Connection, named: str) -> OwnedSite:
        """The same, locked until the end of the transaction: one caller at a time changes it."""
        site = await self.find(db, named)
        await db.execute(self._sql.lock_site, site.site_id)
        return await self.find(db, str(site.site_id))

    async def page(self, db: asyncpg.Connection, limit: int, offset: int) -> tuple[list[OwnedSite], int]:
        """A page of the list, and the number of sites."""
        rows, total = await fetch_page(db, self._sql.list_sites, limit=limit, offset=offset)
        return [site_of_row(row) for row in rows], total

    async def set_key(
        self, db: asyncpg.Connection, site_id: int, key: str, previous_valid_s: float
    ) -> OwnedSite:
        """Replace the key; the present one stays valid for so many seconds."""
        return site_of_row(await db.fetchrow(self._sql.set_key, site_id, hash_of(key), previous_valid_s))

    async def set_webhook(self, db: asyncpg.Connection, site_id: int, url: str | None) -> OwnedSite:
        """Set where replacements of links are sent; None ends that."""
        return site_of_row(await db.fetchrow(self._sql.set_webhook, site_id, url))

    async def set_webhook_secret(
        self, db: asyncpg.Connection, site_id: int, secret: str, previous_valid_s: float
    ) -> OwnedSite:
        """Replace the secret; the present one signs, too, for so many seconds."""
        return site_of_row(await db.fetchrow(self._sql.set_webhook_secret, site_id, secret, previous_valid_s))


async def site_of_key(db: asyncpg.Connection, key: str) -> int | None:
    """The number of the site that a key belongs to; None for a text that is no valid key."""
    return await SiteKeyIndex().site_of(db, hash_of(key)) if is_plausible(key) else None


class SiteKeyIndex:
    """Finds the site of a key by its hash, as `auth.keys.SiteKeys` wants it."""

    async def site_of(self, db: asyncpg.Connection, key_hash: bytes) -> int | None:
        """The number of the site; None if the hash is that of no valid key."""
        for row in await db.fetch(Queries.load("outrider.sites").site_of_hash, key_hash):
            if is_same(row["key_hash"] or b"", key_hash):
                return int(row["site_id"])
            if row["is_previous_valid"] and is_same(row["previous_key_hash"] or b"", key_hash):
                return int(row["site_id"])
        return None


class PathStore:
    """The inventory of live paths."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.sites")

    async def put(self, db: asyncpg.Connection, site_id: int, paths: Sequence[LivePath]) -> None:
        """Add paths, or bring them up to date. A path must not be given twice."""
        columns: tuple[list[Any], ...] = (
            [each.path for each in paths],
            [each.kind.value for each in paths],
            [each.path.rpartition("/")[2] for each in paths],
            [each.title for each in paths],
            [each.parent for each in paths],
            [each.is_visible for each in paths],
            [each.status for each in paths],
        )
        await db.execute(self._sql.put_paths, site_id, *columns)

    async def remove(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> None:
        await db.execute(self._sql.remove_paths, site_id, list(paths))

    async def keep_only(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> list[str]:
        """Remove all other paths; returns those of them that were live."""
        gone = await db.fetch(self._sql.remove_other_paths, site_id, list(paths))
        return sorted(row["path"] for row in gone if row["is_visible"])

    async def named(
        self, db: asyncpg.Connection, site_id: int, paths: Collection[str]
    ) -> dict[str, LivePath]:
        """Those of the paths that the inventory has."""
        rows = await db.fetch(self._sql.paths_named, site_id, list(paths))
        return {row["path"]: path_of_row(row) for row in rows}

    async def below(self, db: asyncpg.Connection, site_id: int, path: str, most: int) -> list[LivePath]:
        """A path and the paths below it."""
        prefix = path if path.endswith("/") else path + "/"
        rows = await db.fetch(self._sql.paths_below, site_id, path, prefix, most)
        return [path_of_row(row) for row in rows]

    async def visible(self, db: asyncpg.Connection, site_id: int) -> list[str]:
        """Every live path."""
        return [row["path"] for row in await db.fetch(self._sql.visible_paths, site_id)]

    async def everything(self, db: asyncpg.Connection, site_id: int) -> list[LivePath]:
        """The whole inventory."""
        return [path_of_row(row) for row in await db.fetch(self._sql.all_paths, site_id)]

    async def page(
        self, db: asyncpg.Connection, site_id: int, search: str | None, limit: int, offset: int
    ) -> tuple[list[LivePath], int]:
        """A page of the inventory, and the number of paths."""
        rows, total = await fetch_page(db, self._sql.list_paths, site_id, search, limit=limit, offset=offset)
        return [path_of_row(row) for row in rows], total

    async def has_any(self, db: asyncpg.Connection, site_id: int) -> bool:
        """Whether the site has an inventory."""
        return bool(await db.fetchval(self._sql.has_paths, site_id))

    async def count(self, db: asyncpg.Connection, site_id: int) -> int:
        number: int = await db.fetchval(self._sql.count_paths, site_id)
        return number

    async def like(
        self, db: asyncpg.Connection, site_id: int, words: str, path: str, most: int
    ) -> list[tuple[str, float]]:
        """Live paths whose slug or title is like the words, with a confidence from 0 to 1 (BRU-06)."""
        rows = await db.fetch(self._sql.like_words, site_id, words, path, most)
        return [(row["path"], round(row["confidence"], 4)) for row in rows]


def site_of_row(row: Any) -> OwnedSite:
    return OwnedSite(
        row["site_id"],
        row["name"],
        row["base_url"],
        tuple(row["hosts"]),
        SiteSettings().changed(row["settings"]),
        row["key_hash"] is not None,
        row["update_webhook"],
        row["webhook_secret"] is not None,
        row["created_at"],
        row["updated_at"],
    )


def path_of_row(row: Any) -> LivePath:
    return LivePath(
        row["path"], PathKind(row["kind"]), row["title"], row["parent"], row["is_visible"], row["status"]
    )
