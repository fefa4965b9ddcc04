"""The page limit of a source: pages are reserved before they are fetched, so that the limit holds exactly."""

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.sources")


async def reserve_pages(db: asyncpg.Connection, source_id: int, wanted: int, limit: int) -> int:
    """Reserve up to `wanted` of the pages that `limit` leaves; returns how many were granted."""
    granted: int | None = await db.fetchval(_SQL.reserve_pages, source_id, wanted, limit)
    return granted or 0


async def return_pages(db: asyncpg.Connection, source_id: int, pages: int) -> None:
    """Give back pages that were reserved and not fetched."""
    await db.execute(_SQL.return_pages, source_id, pages)


async def settle_pages(db: asyncpg.Connection, source_id: int) -> None:
    """Free pages that were reserved and never fetched; call it only while no worker runs this source."""
    await db.execute(_SQL.settle_pages, source_id)
