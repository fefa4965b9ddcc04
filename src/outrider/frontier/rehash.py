"""Gives entries new keys in a rehash: the plan, the moves, and the references to old keys.

The plan is the table `url_rehash` of old and new keys. Each transaction selects moves, carries them out and
marks them as done.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.chains import end_loops
from outrider.frontier.model import ORIGINS, EntryKind, Submission
from outrider.frontier.options import FrontierOptions
from outrider.frontier.priority import DEFAULT
from outrider.frontier.renormalise import UrlMove
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey

_SQL = Queries.load("outrider.frontier")

KeyRange = tuple[int, str, int, str]  # after this key, up to that key


@dataclass(frozen=True, slots=True)
class StoredUrl:
    """An entry as a rehash reads it."""

    key: UrlKey
    url: str
    source_id: int
    kind: EntryKind


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """How many entries get a new key, and how many of those are merged with an entry that has it."""

    respelt: int
    merged: int


class RehashStore:
    """The frontier's part of a rehash; its counters go to one slot."""

    def __init__(self, slot: int) -> None:
        self._slot = slot
        self._frontier = FrontierStore(FrontierOptions(), slot)

    async def lock(self, db: asyncpg.Connection) -> bool:
        """Lock out other rehashes; False when one is running. The connection holds the lock."""
        return bool(await db.fetchval(_SQL.try_rehash_lock))

    async def unlock(self, db: asyncpg.Connection) -> None:
        await db.execute(_SQL.release_rehash_lock)

    async def allow_long_statements(self, db: asyncpg.Connection) -> None:
        await db.execute(_SQL.lift_statement_timeout)

    async def urls_after(self, db: asyncpg.Connection, after: UrlKey, limit: int) -> list[StoredUrl]:
        rows = await db.fetch(_SQL.next_urls, after.host_id, after.hash, limit)
        return [StoredUrl(_old(row), row["url"], row["source_id"], EntryKind(row["kind"])) for row in rows]

    async def plan(self, db: asyncpg.Connection, moves: Collection[UrlMove]) -> None:
        await db.execute(
            _SQL.plan_moves,
            [move.old.host_id for move in moves],
            [move.old.hash for move in moves],
            [move.new.host_id for move in moves],
            [move.new.hash for move in moves],
            [move.host for move in moves],
            [move.url for move in moves],
        )

    async def count_planned(self, db: asyncpg.Connection) -> MoveCounts:
        [counts] = await db.fetch(_SQL.count_moves)
        return MoveCounts(**dict(counts))

    async def analyze_plan(self, db: asyncpg.Connection) -> None:
        await db.execute(_SQL.analyze_moves)

    async def take(self, db: asyncpg.Connection, limit: int, *, force: bool) -> MoveCounts:
        """Select the next moves; `force` also selects moves to a key whose own entry has yet to move."""
        await db.execute(_SQL.select_moves, limit, force)
        [counts] = await db.fetch(_SQL.count_selected_moves)
        return MoveCounts(**dict(counts))

    async def move_entries(self, db: asyncpg.Connection) -> None:
        """Give the entries of the selected moves their new keys, with their history; merge duplicates."""
        sources = await db.fetch(_SQL.sources_of_selected_moves)
        await self._frontier.unshare(db, [key for row in sources for key in (_old(row), _new(row))])
        await db.execute(_SQL.merge_urls, self._slot)
        await db.execute(_SQL.move_urls)
        await db.execute(_SQL.move_history)
        await db.execute(_SQL.move_hops)
        # Every source that wanted one of two merged pages wants the merged page.
        await self._frontier.share(db, [_wanted(row) for row in sources])

    async def add_counts(self, db: asyncpg.Connection, counts: Mapping[tuple[int, str], int]) -> None:
        """Add what another part of the rehash changed to the counters."""
        await self._frontier.add_counts(db, counts)

    async def finish_moves(self, db: asyncpg.Connection) -> None:
        """Name and wake the hosts of the selected moves, and mark the moves as done."""
        await db.execute(_SQL.name_hosts)
        await db.execute(_SQL.wake_new_hosts)
        await db.execute(_SQL.mark_moves_done)

    async def next_range(self, db: asyncpg.Connection, after: UrlKey, limit: int) -> KeyRange | None:
        """The keys of the next entries; None when there are no more."""
        last = await db.fetchrow(_SQL.last_key_of_batch, after.host_id, after.hash, limit)
        return None if last is None else (after.host_id, after.hash, last["host_id"], last["url_hash"].hex)

    async def repoint_entries(self, db: asyncpg.Connection, part: KeyRange) -> None:
        """Replace old keys of parents and redirect targets in a range of entries."""
        await db.execute(_SQL.update_parents, *part)
        await db.execute(_SQL.update_alias_targets, *part)

    async def end_loops(self, db: asyncpg.Connection, part: KeyRange) -> None:
        """End circular redirects, which merging may create."""
        rows = await db.fetch(_SQL.aliases_in_range, *part)
        moved = {_old(row): UrlKey(row["redirect_host_id"], row["redirect_hash"].hex) for row in rows}
        await end_loops(db, moved, self._slot)

    async def forget_plan(self, db: asyncpg.Connection) -> None:
        await db.execute(_SQL.clear_moves)


def _old(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)


def _new(row: Any) -> UrlKey:
    return UrlKey(row["new_host_id"], row["new_hash"].hex)


def _wanted(row: Any) -> Submission:
    return Submission(
        _new(row),
        "",
        "",
        DEFAULT,
        depth=row["depth"],
        source_id=row["source_id"],
        origin=ORIGINS[row["origin"]],
    )
