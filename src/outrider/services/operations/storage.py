"""The use case of the storage report: sizes of tables, and rows by state (API-78)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.counter_name import CounterName
from outrider.frontier.stats import StatsStore

_SQL = Queries.load("outrider.services")
_KINDS = (CounterName.DOCUMENTS, CounterName.DUPLICATES, CounterName.NEAR_DUPLICATES)


@dataclass(frozen=True, slots=True)
class TableSize:
    """A table on disk. `rows` is an estimate of the database."""

    name: str
    rows: int
    table_bytes: int
    index_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class StorageReport:
    """The size of the database, of each table, and the number of rows by state."""

    database_bytes: int
    tables: Sequence[TableSize]  # the largest first
    urls_by_state: Mapping[str, int]
    documents: Mapping[str, int]  # stored pages, copies and near-copies


async def report_storage(db: asyncpg.Connection) -> StorageReport:
    """Sizes are read from the disk, rows by state from the counters."""
    async with db.transaction():
        tables = await db.fetch(_SQL.table_sizes)
        size: int = await db.fetchval(_SQL.database_size)
        totals = await StatsStore().states(db, others=_KINDS)
    sizes = [
        TableSize(**row, total_bytes=row["table_bytes"] + row["index_bytes"]) for row in map(dict, tables)
    ]
    return StorageReport(
        size,
        sorted(sizes, key=lambda each: (-each.total_bytes, each.name)),
        {
            "pending": totals.pending,
            "fetched": totals.fetched,
            "dead": totals.dead,
            "aliases": totals.aliases,
        },
        {kind.value: totals.others.get(kind, 0) for kind in _KINDS},
    )
