"""The tables of redirects. The caller opens the transaction, and locks the table before it changes it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import asyncpg

from outrider.db.pages import fetch_page
from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.redirects.model import (
    ChangeAction,
    Redirect,
    RedirectSort,
    RedirectSource,
    StoredRedirect,
    TableChange,
)
from outrider.redirects.table import RedirectTable
from outrider.redirects.target import Target
from outrider.sites.store import PathStore

CHANNEL = "outrider_redirects"
LONGEST_WHY = 1_000


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes redirects: a person, a program, or Outrider itself; and the event that told of it."""

    name: str
    event_id: str | None = None


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One change of a redirect, as the audit has it."""

    version: int
    at: datetime
    action: ChangeAction
    from_path: str
    before_to: str | None
    after_to: str | None
    source: RedirectSource
    why: str
    done_by: str
    event_id: str | None


class RedirectStore:
    """Reads and writes redirects with their audit."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.redirects")
        self._paths = PathStore()

    async def lock(self, db: asyncpg.Connection, site_id: int) -> int:
        """Lock the redirects of a site until the transaction ends; returns their version."""
        version: int = await db.fetchval(self._sql.lock_table, site_id)
        return version

    async def version(self, db: asyncpg.Connection, site_id: int) -> tuple[int, int]:
        """The version of the redirects, and up to which version changes may be gone."""
        [row] = await db.fetch(self._sql.table_version, site_id)
        return row["version"], row["kept_changes"]

    async def outdate_versions(self, db: asyncpg.Connection) -> None:
        """Let every reader read all redirects again, after a restore."""
        await db.execute(self._sql.outdate_versions)

    async def touch(self, db: asyncpg.Connection, site_id: int) -> int:
        """Begin a new version: the settings of the site changed, or redirects will."""
        await self.lock(db, site_id)
        version: int = await db.fetchval(self._sql.next_version, site_id)
        return version

    async def part(
        self, db: asyncpg.Connection, site_id: int, sources: Collection[str], others: Collection[str] = ()
    ) -> RedirectTable:
        """The part of the table that a change of `sources` needs; `others` are only looked at."""
        named = list({*sources, *others})
        rows = await db.fetch(self._sql.neighbourhood, site_id, named, list(sources))
        known = await self._paths.named(db, site_id, named)
        live = [path for path, page in known.items() if page.is_visible]
        return RedirectTable(map(redirect_of_row, rows), live)

    async def returning(
        self, db: asyncpg.Connection, site_id: int, paths: Collection[str]
    ) -> dict[str, list[Redirect]]:
        """The redirects that led to each path until its page was hidden or deleted, as they were then.

        The audit knows them. They may have got other targets since.
        """
        rows = await db.fetch(self._sql.returning_redirects, site_id, list(paths))
        found: dict[str, list[Redirect]] = {}
        for row in rows:
            redirect = replace(redirect_of_row(row), **_as_told(row["before_to"]))
            found.setdefault(row["path"], []).append(redirect)
        return found

    async def whole(self, db: asyncpg.Connection, site_id: int) -> RedirectTable:
        """The whole table of a site, for imports and exports."""
        rows = await db.fetch(self._sql.all_redirects, site_id)
        return RedirectTable(map(redirect_of_row, rows), await self._paths.visible(db, site_id))

    async def all_stored(self, db: asyncpg.Connection, site_id: int) -> list[StoredRedirect]:
        """Every redirect with its counts, by path."""
        return [stored_of_row(row) for row in await db.fetch(self._sql.all_redirects, site_id)]

    async def write(
        self, db: asyncpg.Connection, site_id: int, changes: Sequence[TableChange], by: Author
    ) -> int | None:
        """Write what changed, with its audit; returns the new version, None if nothing changed."""
        if not changes:
            return None
        version: int = await db.fetchval(self._sql.next_version, site_id)
        now = {change.from_path: change.after for change in changes}
        gone = [path for path, after in now.items() if after is None]
        put = [after for after in now.values() if after is not None]
        if gone:
            await db.execute(self._sql.remove_redirects, site_id, gone)
        if put:
            await db.execute(self._sql.put_redirects, site_id, *_columns(put))
        await db.execute(
            self._sql.add_changes,
            site_id,
            version,
            by.name[:200],
            by.event_id,
            list(range(len(changes))),
            [change.action.value for change in changes],
            [change.from_path for change in changes],
            [_told(change.before) for change in changes],
            [_told(change.after) for change in changes],
            [_either(change).source.value for change in changes],
            [change.why[:LONGEST_WHY] for change in changes],
        )
        return version

    async def changes_since(self, db: asyncpg.Connection, site_id: int, version: int) -> list[Any]:
        """Source, target and code of the redirects that changed; the code is None for a removed one."""
        return await db.fetch(self._sql.changes_since, site_id, version)

    async def audit(
        self, db: asyncpg.Connection, site_id: int, path: str | None, limit: int, offset: int
    ) -> tuple[list[AuditLine], int]:
        """A page of the audit, newest first, and its length."""
        rows, total = await fetch_page(db, self._sql.list_changes, site_id, path, limit=limit, offset=offset)
        return [_audit_line(row) for row in rows], total

    async def page(
        self,
        db: asyncpg.Connection,
        site_id: int,
        source: RedirectSource | None,
        search: str | None,
        sort: RedirectSort,
        limit: int,
        offset: int,
    ) -> tuple[list[StoredRedirect], int]:
        """A page of the redirects, and their number."""
        named = None if source is None else source.value
        rows, total = await fetch_page(
            db, self._sql.list_redirects, site_id, named, search, sort.value, limit=limit, offset=offset
        )
        return [stored_of_row(row) for row in rows], total

    async def by_id(self, db: asyncpg.Connection, site_id: int, redirect_id: int) -> StoredRedirect:
        """Raises NotFound if the site has no such redirect."""
        row = await db.fetchrow(self._sql.redirect_by_id, site_id, redirect_id)
        if row is None:
            raise NotFound(f"the site has no redirect {redirect_id}: `outrider redirect list` shows them")
        return stored_of_row(row)

    async def by_path(self, db: asyncpg.Connection, site_id: int, path: str) -> StoredRedirect | None:
        row = await db.fetchrow(self._sql.redirect_from, site_id, path)
        return None if row is None else stored_of_row(row)

    async def count_hits(self, db: asyncpg.Connection, site_id: int, hits: Mapping[str, int]) -> int:
        """Add hits by source; returns how many redirects were counted."""
        return int(await db.fetchval(self._sql.count_hits, site_id, list(hits), list(hits.values())))

    async def unused(self, db: asyncpg.Connection, site_id: int, days: int, most: int) -> list[str]:
        """Sources of automatic redirects that had no hit for so many days (RDM-19)."""
        return [row["from_path"] for row in await db.fetch(self._sql.unused_redirects, site_id, days, most)]

    async def forget(self, db: asyncpg.Connection, site_id: int, audit_days: int, event_days: int) -> None:
        """Remove old lines of the audit and old events."""
        await db.execute(self._sql.prune_changes, site_id, audit_days)
        await db.execute(self._sql.forget_events, site_id, event_days)

    async def is_new_event(self, db: asyncpg.Connection, site_id: int, event_id: str) -> bool:
        """Remember an event; False if it was applied before."""
        return await db.fetchval(self._sql.record_event, site_id, event_id) is not None


def redirect_of_row(row: Any) -> Redirect:
    return Redirect(
        row["from_path"],
        target_of(row["to_path"], row["to_key"]),
        row["status_code"],
        RedirectSource(row["source"]),
        row["confidence"],
    )


def stored_of_row(row: Any) -> StoredRedirect:
    return StoredRedirect(
        row["redirect_id"],
        redirect_of_row(row),
        row["hit_count"],
        row["created_at"],
        row["updated_at"],
        row["last_hit_at"],
    )


def target_of(text: str | None, key: str | None) -> Target | None:
    """A target from its columns."""
    if text is None:
        return None
    rest, _, fragment = text.partition("#")
    path, _, query = rest.partition("?")
    if key is not None:
        return Target(key, query, fragment)
    scheme, _, after = path.partition("://")
    host, slash, below = after.partition("/")
    return Target(slash + below, query, fragment, f"{scheme}://{host}")


def _columns(redirects: Sequence[Redirect]) -> tuple[list[Any], ...]:
    return (
        [each.from_path for each in redirects],
        [each.to for each in redirects],
        [each.to_key for each in redirects],
        [each.status for each in redirects],
        [each.source.value for each in redirects],
        [each.confidence for each in redirects],
    )


def _told(redirect: Redirect | None) -> str | None:
    """Code and target for the audit."""
    return None if redirect is None else f"{redirect.status} {redirect.to or ''}".rstrip()


def _as_told(told: str) -> dict[str, Any]:
    """Target and code from what `_told` wrote about a redirect to a path of the same site."""
    code, _, text = told.partition(" ")
    path = text.partition("#")[0].partition("?")[0]
    return {"target": target_of(text, path), "status": int(code)}


def _either(change: TableChange) -> Redirect:
    found = change.after or change.before
    assert found is not None
    return found


def _audit_line(row: Any) -> AuditLine:
    return AuditLine(
        row["version"],
        row["at"],
        ChangeAction(row["action"]),
        row["from_path"],
        row["before_to"],
        row["after_to"],
        RedirectSource(row["source"]),
        row["why"],
        row["done_by"],
        row["event_id"],
    )
