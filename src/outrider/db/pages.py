"""A page of a query that also tells how many rows there are."""

from typing import Any

import asyncpg


async def fetch_page(
    db: asyncpg.Connection, statement: str, *values: object, limit: int, offset: int
) -> tuple[list[Any], int]:
    """The rows of a page and the number of all rows, also behind the last one.

    The last parameters of the statement are limit and offset, and each of its rows has the number as `total`.
    """
    rows = await db.fetch(statement, *values, limit, offset)
    if not rows and offset:  # behind the last row: the number is that of the first page
        _, total = await fetch_page(db, statement, *values, limit=1, offset=0)
        return [], total
    return rows, rows[0]["total"] if rows else 0
