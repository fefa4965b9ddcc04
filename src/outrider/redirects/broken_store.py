"""The tables of page views and broken URLs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

import asyncpg

from outrider.db.pages import fetch_page
from outrider.db.queries import Queries
from outrider.described import DescribedName
from outrider.errors import NotFound

MOST_PATHS_OF_A_DAY = 100_000


class BrokenStatus(DescribedName):
    """What became of a path that visitors miss."""

    PENDING = "pending", "A person has to decide."
    RESOLVED = "resolved", "Visitors are redirected, or the page is back."
    IGNORED = "ignored", "A person decided that it does not matter."


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A live path that is like a missed one, with a confidence from 0 to 1."""

    path: str
    confidence: float


@dataclass(frozen=True, slots=True)
class BrokenUrl:
    """A path that had visitors and answers 404 now."""

    broken_id: int
    path: str
    prior_analytics_hits: int
    recent_404_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    status: BrokenStatus
    resolved_redirect_id: int | None
    suggestions: Sequence[Suggestion]
    referrers: Sequence[str]

    def json_form(self) -> dict[str, Any]:
        return {"id": self.broken_id, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """The figures of a site (OBS-06)."""

    redirects: int
    redirect_hits: int
    auto_resolved: int
    pending_broken_urls: int
    broken_urls_recorded: int


class BrokenStore:
    """Page views and broken URLs. The caller opens the transaction."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.redirects")

    async def add_views(
        self,
        db: asyncpg.Connection,
        site_id: int,
        views: Mapping[tuple[str, date], int],
        most_paths: int = MOST_PATHS_OF_A_DAY,
    ) -> None:
        """Add page views by path and day. A day keeps at most `most_paths` paths."""
        paths, days = [path for path, _ in views], [day for _, day in views]
        await db.execute(self._sql.open_days, site_id, days)
        await db.execute(self._sql.add_views, site_id, paths, days, list(views.values()), most_paths)

    async def views_of(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> dict[str, int]:
        """Which of the paths had visitors, and how many."""
        rows = await db.fetch(self._sql.paths_with_views, site_id, list(paths))
        return {row["path"]: row["views"] for row in rows}

    async def record(
        self,
        db: asyncpg.Connection,
        site_id: int,
        misses: Sequence[tuple[str, int, int, str | None]],
    ) -> list[BrokenUrl]:
        """Record missed paths: path, number of 404s, earlier views, referring page. Returns their rows."""
        columns = [list(column) for column in zip(*misses, strict=True)] or [[], [], [], []]
        return [_broken(row) for row in await db.fetch(self._sql.record_broken, site_id, *columns)]

    async def changed_at(
        self, db: asyncpg.Connection, site_id: int, paths: Collection[str] | None, most: int
    ) -> dict[str, datetime]:
        """When the rows of some paths were seen or decided last; without paths those of all pending rows."""
        named = None if paths is None else list(paths)
        rows = await db.fetch(self._sql.broken_changed, site_id, named, most)
        return {row["path"]: row["changed_at"] for row in rows}

    async def suggest(self, db: asyncpg.Connection, broken_id: int, found: Sequence[Suggestion]) -> None:
        """Keep the candidates for a missed path."""
        await db.execute(
            self._sql.set_suggestions, broken_id, [[each.path, each.confidence] for each in found]
        )

    async def settle(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> None:
        """Resolve pending rows whose paths are redirected now."""
        await db.execute(self._sql.settle_broken, site_id, list(paths))

    async def reopen(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> None:
        """Reopen rows whose redirect was removed."""
        await db.execute(self._sql.reopen_broken, site_id, list(paths))

    async def close(self, db: asyncpg.Connection, site_id: int, paths: Collection[str]) -> None:
        """Close pending rows whose paths answer again."""
        await db.execute(self._sql.close_broken, site_id, list(paths))

    async def page(
        self, db: asyncpg.Connection, site_id: int, status: BrokenStatus | None, limit: int, offset: int
    ) -> tuple[list[BrokenUrl], int]:
        """A page of the broken URLs, the greatest loss first, and their number."""
        named = None if status is None else status.value
        rows, total = await fetch_page(db, self._sql.list_broken, site_id, named, limit=limit, offset=offset)
        return [_broken(row) for row in rows], total

    async def by_id(self, db: asyncpg.Connection, site_id: int, broken_id: int) -> BrokenUrl:
        """Raises NotFound if the site has no such row."""
        return _found(await db.fetchrow(self._sql.broken_by_id, site_id, broken_id), broken_id)

    async def ignore(self, db: asyncpg.Connection, site_id: int, broken_id: int) -> BrokenUrl:
        """Raises NotFound if the site has no such row."""
        return _found(await db.fetchrow(self._sql.ignore_broken, site_id, broken_id), broken_id)

    async def unignore(self, db: asyncpg.Connection, site_id: int, broken_id: int) -> None:
        """Open a row that was ignored."""
        await db.execute(self._sql.unignore_broken, site_id, broken_id)

    async def figures(self, db: asyncpg.Connection, site_id: int) -> SiteFigures:
        [row] = await db.fetch(self._sql.site_figures, site_id)
        return SiteFigures(**dict(row))

    async def count(self, db: asyncpg.Connection, site_id: int, counts: Mapping[str, int]) -> None:
        """Add to the counters of a site."""
        await db.execute(self._sql.add_counts, site_id, list(counts), list(counts.values()))

    async def totals(self, db: asyncpg.Connection) -> dict[str, int]:
        """The counters of all sites together (OBS-06)."""
        return {row["name"]: row["value"] for row in await db.fetch(self._sql.sum_counts)}

    async def pending_by_site(self, db: asyncpg.Connection, site_ids: Sequence[int]) -> dict[int, int]:
        """How many broken URLs of some sites wait for a review; a site without any is left out."""
        rows = await db.fetch(self._sql.pending_by_site, list(site_ids))
        return {row["site_id"]: row["pending"] for row in rows}

    async def forget_views(self, db: asyncpg.Connection, site_id: int, days: int) -> None:
        """Forget page views that are older than so many days."""
        await db.execute(self._sql.forget_views, site_id, days)


def _found(row: Any, broken_id: int) -> BrokenUrl:
    if row is None:
        raise NotFound(f"the site has no broken URL {broken_id}: `outrider site broken` shows them")
    return _broken(row)


def _broken(row: Any) -> BrokenUrl:
    return BrokenUrl(
        row["broken_id"],
        row["path"],
        row["prior_analytics_hits"],
        row["recent_404_count"],
        row["first_seen_at"],
        row["last_seen_at"],
        BrokenStatus(row["status"]),
        row["resolved_redirect_id"],
        tuple(Suggestion(path, confidence) for path, confidence in row["suggestions"]),
        tuple(row["referrers"]),
    )
