"""One pass of the search for near-duplicates. A command runs it too, without the code of workers."""

import asyncpg

from outrider.documents.near_duplicates import PASS, ComparisonResult, compare
from outrider.documents.store import DocumentStore
from outrider.frontier.store import FrontierStore


async def compare_some(
    db: asyncpg.Connection, store: DocumentStore, frontier: FrontierStore, limit: int = PASS
) -> ComparisonResult:
    """Compare some documents, and count the near-duplicates among them in the same transaction."""
    compared = await compare(db, store, limit)
    await frontier.add_counts(db, compared.counts)
    return compared
