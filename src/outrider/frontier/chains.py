"""Ends redirect chains that are circular or too long."""

from collections.abc import Mapping, Sequence

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.dead_reason import DeadReason
from outrider.urls import UrlKey

LONGEST_CHAIN = 64  # aliases in a row; one visit may follow at most 50

_SQL = Queries.load("outrider.frontier")


async def end_loops(db: asyncpg.Connection, moved: Mapping[UrlKey, UrlKey], slot: int) -> None:
    """Mark new aliases as dead if their redirects form a circle or a chain that is too long.

    A worker writes its own rows first, then reads the others and locks them until the commit. So if two
    workers close a circle at the same time, the second one sees the rows of the first.
    """
    ways = [[start, target] for start, target in moved.items()]
    verdicts: dict[UrlKey, DeadReason] = {}
    while ways:
        ways = judge(ways, verdicts)
        leads = await _leads(db, sorted({way[-1] for way in ways}))
        ways = [[*way, leads[way[-1]]] for way in ways if way[-1] in leads]
    if verdicts:
        keys = sorted(verdicts)
        await db.execute(
            _SQL.mark_aliases_dead,
            [key.host_id for key in keys],
            [key.hash for key in keys],
            [verdicts[key] for key in keys],
            slot,
        )


def judge(ways: Sequence[list[UrlKey]], verdicts: dict[UrlKey, DeadReason]) -> list[list[UrlKey]]:
    """The chains that have not ended yet. The aliases of circular and long chains are added to `verdicts`."""
    open_ways = []
    for way in ways:
        *before, last = way
        if last in before:
            verdicts.update(dict.fromkeys(before[before.index(last) :], DeadReason.REDIRECT_LOOP))
        elif len(before) > LONGEST_CHAIN:
            verdicts.setdefault(way[0], DeadReason.TOO_MANY_REDIRECTS)
        else:
            open_ways.append(way)
    return open_ways


async def _leads(db: asyncpg.Connection, keys: Sequence[UrlKey]) -> dict[UrlKey, UrlKey]:
    """The redirect target of each alias among these URLs."""
    if not keys:
        return {}
    rows = await db.fetch(_SQL.lock_redirects, [key.host_id for key in keys], [key.hash for key in keys])
    return {
        UrlKey(row["host_id"], row["url_hash"].hex): UrlKey(row["redirect_host_id"], row["redirect_hash"].hex)
        for row in rows
        if row["redirect_hash"] is not None
    }
