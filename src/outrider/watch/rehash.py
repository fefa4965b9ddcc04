"""Moves sightings, listings, channels and discovered links to their new URL keys in a rehash."""

from collections.abc import Collection
from contextlib import suppress

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidUrl
from outrider.frontier.model import EntryKind
from outrider.frontier.normalisation import FIRST
from outrider.frontier.renormalise import Renormaliser, UrlMove
from outrider.urls import UrlKey

_SQL = Queries.load("outrider.watch")


async def rehash_watched(db: asyncpg.Connection) -> None:
    """Move the rows of the current batch to their new keys. Two channels with one new key are merged."""
    await db.execute(_SQL.move_sightings)
    await db.execute(_SQL.move_listings)
    double = await db.fetch(_SQL.drop_double_channels)
    await db.execute(_SQL.drop_merged_channels, [row["goes"] for row in double])
    await db.execute(_SQL.move_channels)


async def renormalise_discovered(db: asyncpg.Connection, renormaliser: Renormaliser, at_once: int) -> None:
    """Move discovered links to their new keys. A repeated pass changes nothing, so it stores no progress."""
    after = (0, FIRST)
    while rows := await db.fetch(_SQL.some_discovered, after[0], *after[1], at_once):
        moves = []
        for row in rows:
            after = row["source_id"], UrlKey(row["host_id"], row["url_hash"].hex)
            with suppress(InvalidUrl):
                move = renormaliser.move(after[1], row["url"], 0, EntryKind.PAGE)
                moves += [] if move is None else [(row["source_id"], move)]
        await _move(db, moves)


async def _move(db: asyncpg.Connection, moves: Collection[tuple[int, UrlMove]]) -> None:
    await db.execute(
        _SQL.move_discovered,
        [source_id for source_id, _ in moves],
        [move.old.host_id for _, move in moves],
        [move.old.hash for _, move in moves],
        [move.new.host_id for _, move in moves],
        [move.new.hash for _, move in moves],
        [move.url for _, move in moves],
    )
